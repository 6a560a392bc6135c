//! Instruction sets: what this machine has, lanes for each, and the kernels compiled for each.
//!
//! The core's only unsafe code. Two things are promised here: an [`Avx2`] or [`Avx512`] value is
//! only touched inside a function compiled for that instruction set, and such a function is only
//! entered at a [`Simd`] level, which is only made once the instruction set was detected.
#![allow(unsafe_code)]

use std::sync::OnceLock;

#[cfg(target_arch = "x86_64")]
use x86::{Avx2, Avx512};

use super::kernels::{
    Beside, Sums, Totals, above_of, divergence_of, nan_of, peak_of, sums_of, weights_of,
    widen_bf16, widen_f16,
};
use super::lanes::{Group, LANES, Plain};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// An instruction set that this machine is known to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Simd(Level);

impl Simd {
    /// Every level this machine can run, plainest first.
    #[must_use]
    pub fn all() -> Vec<Self> {
        #[allow(unused_mut)]
        let mut out = vec![Self(Level::Scalar)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("f16c") {
                out.push(Self(Level::Avx2));
            }
            if is_x86_feature_detected!("avx512f") {
                out.push(Self(Level::Avx512));
            }
        }
        out
    }

    /// The widest level of this machine; looked up once.
    #[must_use]
    pub fn best() -> Self {
        static BEST: OnceLock<Simd> = OnceLock::new();
        *BEST.get_or_init(|| {
            *Self::all()
                .last()
                .expect("the scalar level is always there")
        })
    }

    /// The level named `"scalar"`, `"avx2"` or `"avx512"`, if this machine has it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|level| level.name() == name)
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            Level::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "avx512",
        }
    }
}

/// One safe entry for a kernel: compiled once a level, called at the level that `Simd` vouches for.
macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident = $body:ident $([$f:ident: $bound:path])? ($($arg:ident: $ty:ty),*) $(-> $ret:ty)?) => {
        $(#[$doc])*
        #[inline]
        pub(super) fn $name $(<$f: $bound>)? (simd: Simd, $($arg: $ty),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,f16c")]
            fn avx2 $(<$f: $bound>)? ($($arg: $ty),*) $(-> $ret)? {
                $body::<Avx2 $(, $f)?>($($arg),*)
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f")]
            fn avx512 $(<$f: $bound>)? ($($arg: $ty),*) $(-> $ret)? {
                $body::<Avx512 $(, $f)?>($($arg),*)
            }
            match simd.0 {
                Level::Scalar => $body::<Plain $(, $f)?>($($arg),*),
                // SAFETY: a `Simd` of this level is only made after the features were detected.
                #[cfg(target_arch = "x86_64")]
                Level::Avx2 => unsafe { avx2($($arg),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                Level::Avx512 => unsafe { avx512($($arg),*) },
            }
        }
    };
}

kernel!(
    /// See [`peak_of`].
    peak = peak_of(block: &[Group]) -> f32
);
kernel!(
    /// See [`nan_of`].
    nan = nan_of(block: &[Group]) -> bool
);
kernel!(
    /// See [`sums_of`].
    sums = sums_of(block: &[Group], m: f32, c: f32) -> Sums
);
kernel!(
    /// See [`weights_of`].
    weights = weights_of(block: &[Group], m: f32, c: f32, to: &mut [Group]) -> Sums
);
kernel!(
    /// See [`divergence_of`].
    divergence = divergence_of(rows: Beside<'_>, centre: [f32; 2], k: f32) -> (Totals, f32)
);
kernel!(
    /// Half precision to single, exact.
    half_to_single = widen_f16(from: &[[u16; LANES]], to: &mut [Group])
);
kernel!(
    /// Brain floats to single, exact.
    brain_to_single = widen_bf16(from: &[[u16; LANES]], to: &mut [Group])
);

/// See [`above_of`].
pub(super) fn above<F: FnMut(usize, f32) -> f32>(
    simd: Simd,
    block: &[Group],
    at: f32,
    visit: &mut F,
) {
    kernel!(
        /// See [`above_of`].
        run = above_of [G: FnMut(usize, f32) -> f32] (block: &[Group], at: f32, visit: &mut G)
    );
    run(simd, block, at, visit);
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    //! Eight lanes in a 256-bit register, or sixteen in one of 512 bits.
    use std::arch::x86_64::*;

    use super::super::lanes::{Group, LANES, Lanes};

    /// One register of eight lanes.
    #[derive(Clone, Copy)]
    pub(super) struct Avx2(__m256);

    /// One register of sixteen lanes.
    #[derive(Clone, Copy)]
    pub(super) struct Avx512(__m512);

    /// Defines functions and methods whose bodies are intrinsics.
    macro_rules! intrinsics {
        ($(fn $name:ident($($arg:ident $(: $ty:ty)?),*) -> $ret:ty { $($body:tt)* })*) => {
            $(
                #[inline(always)]
                #[allow(unused_unsafe, reason = "some only call others of these")]
                fn $name($($arg $(: $ty)?),*) -> $ret {
                    // SAFETY: only reached from functions compiled for this instruction set (see
                    // the module's head); every load and store goes through a reference to as
                    // many elements as it moves, and needs no alignment.
                    unsafe { $($body)* }
                }
            )*
        };
    }

    impl Lanes for Avx2 {
        type Flag = __m256;

        const PARTS: usize = 2;

        intrinsics! {
            fn splat(x: f32) -> Self { Self(_mm256_set1_ps(x)) }
            fn load(from: &Group, part: usize) -> Self {
                Self(_mm256_loadu_ps(from.as_chunks::<8>().0[part].as_ptr()))
            }
            fn from_f16(from: &[u16; LANES], part: usize) -> Self {
                let at = from.as_chunks::<8>().0[part].as_ptr();
                Self(_mm256_cvtph_ps(_mm_loadu_si128(at.cast())))
            }
            fn from_bf16(from: &[u16; LANES], part: usize) -> Self {
                let at = from.as_chunks::<8>().0[part].as_ptr();
                let wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(at.cast()));
                Self(_mm256_castsi256_ps(_mm256_slli_epi32(wide, 16)))
            }
            fn store(self, to: &mut Group, part: usize) -> () {
                _mm256_storeu_ps(to.as_chunks_mut::<8>().0[part].as_mut_ptr(), self.0);
            }
            fn add(self, b: Self) -> Self { Self(_mm256_add_ps(self.0, b.0)) }
            fn sub(self, b: Self) -> Self { Self(_mm256_sub_ps(self.0, b.0)) }
            fn mul(self, b: Self) -> Self { Self(_mm256_mul_ps(self.0, b.0)) }
            fn max(self, b: Self) -> Self { Self(_mm256_max_ps(self.0, b.0)) }
            fn exponent(self) -> Self {
                Self(_mm256_castsi256_ps(_mm256_slli_epi32(_mm256_castps_si256(self.0), 23)))
            }
            fn above(self, at: Self) -> u32 {
                _mm256_movemask_ps(_mm256_cmp_ps(self.0, at.0, _CMP_GT_OQ)).cast_unsigned()
            }
            fn clear() -> __m256 { _mm256_setzero_ps() }
            fn unordered(a: Self, b: Self, flag: __m256) -> __m256 {
                _mm256_or_ps(flag, _mm256_cmp_ps(a.0, b.0, _CMP_UNORD_Q))
            }
            fn any(flag: __m256) -> bool { _mm256_movemask_ps(flag) != 0 }
            fn pick_within(x: Self, bound: Self, near: Self, far: Self) -> Self {
                let size = _mm256_andnot_ps(_mm256_set1_ps(-0.0), x.0);
                let inside = _mm256_cmp_ps(size, bound.0, _CMP_LT_OQ);
                Self(_mm256_blendv_ps(far.0, near.0, inside))
            }
        }
    }

    impl Lanes for Avx512 {
        type Flag = __mmask16;

        const PARTS: usize = 1;

        intrinsics! {
            fn splat(x: f32) -> Self { Self(_mm512_set1_ps(x)) }
            fn load(from: &Group, _part: usize) -> Self { Self(_mm512_loadu_ps(from.as_ptr())) }
            fn from_f16(from: &[u16; LANES], _part: usize) -> Self {
                Self(_mm512_cvtph_ps(_mm256_loadu_si256(from.as_ptr().cast())))
            }
            fn from_bf16(from: &[u16; LANES], _part: usize) -> Self {
                let wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(from.as_ptr().cast()));
                Self(_mm512_castsi512_ps(_mm512_slli_epi32(wide, 16)))
            }
            fn store(self, to: &mut Group, _part: usize) -> () { _mm512_storeu_ps(to.as_mut_ptr(), self.0); }
            fn add(self, b: Self) -> Self { Self(_mm512_add_ps(self.0, b.0)) }
            fn sub(self, b: Self) -> Self { Self(_mm512_sub_ps(self.0, b.0)) }
            fn mul(self, b: Self) -> Self { Self(_mm512_mul_ps(self.0, b.0)) }
            fn max(self, b: Self) -> Self { Self(_mm512_max_ps(self.0, b.0)) }
            fn exponent(self) -> Self {
                Self(_mm512_castsi512_ps(_mm512_slli_epi32(_mm512_castps_si512(self.0), 23)))
            }
            fn above(self, at: Self) -> u32 {
                u32::from(_mm512_cmp_ps_mask(self.0, at.0, _CMP_GT_OQ))
            }
            fn clear() -> __mmask16 { 0 }
            fn unordered(a: Self, b: Self, flag: __mmask16) -> __mmask16 {
                flag | _mm512_cmp_ps_mask(a.0, b.0, _CMP_UNORD_Q)
            }
            fn any(flag: __mmask16) -> bool { flag != 0 }
            fn pick_within(x: Self, bound: Self, near: Self, far: Self) -> Self {
                let inside = _mm512_cmp_ps_mask(_mm512_abs_ps(x.0), bound.0, _CMP_LT_OQ);
                Self(_mm512_mask_blend_ps(inside, far.0, near.0))
            }
        }
    }
}
