//! Instruction sets: what this machine has, lanes for each, and the kernels compiled for each.
//!
//! The core's only unsafe code. Two things are promised here: an [`Avx2`] or [`Avx512`] value is
//! only touched inside a function compiled for that instruction set, and such a function is only
//! entered at a [`Simd`] level, which is only made once the instruction set was detected.
#![allow(unsafe_code)]

use std::sync::OnceLock;

#[cfg(target_arch = "x86_64")]
use x86::{Avx2, Avx512};

use super::kernels::{Sums, above_of, divergence_of, peak_of, sums_of, widen_bf16, widen_f16};
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
    peak = peak_of(block: &[Group]) -> (f32, bool)
);
kernel!(
    /// See [`sums_of`].
    sums = sums_of(block: &[Group], m: f32, c: f32) -> Sums
);
kernel!(
    /// See [`divergence_of`].
    divergence = divergence_of(a: &[Group], b: &[Group], la: f64, lb: f64) -> (Group, bool)
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
    //! Sixteen lanes in two 256-bit registers, or in one of 512 bits.
    use std::arch::x86_64::*;

    use super::super::lanes::{Group, LANES, Lanes};

    /// Two registers of eight lanes.
    #[derive(Clone, Copy)]
    pub(super) struct Avx2(__m256, __m256);

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

    intrinsics! {
        fn wide256(x: __m256) -> (__m256d, __m256d) {
            (_mm256_cvtps_pd(_mm256_castps256_ps128(x)), _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)))
        }
        fn narrow256(lo: __m256d, hi: __m256d) -> __m256 {
            _mm256_set_m128(_mm256_cvtpd_ps(hi), _mm256_cvtpd_ps(lo))
        }
        fn centred256(a: __m256, la: f64, b: __m256, lb: f64) -> (__m256, __m256, __m256) {
            let (la, lb) = (_mm256_set1_pd(la), _mm256_set1_pd(lb));
            let ((a0, a1), (b0, b1)) = (wide256(a), wide256(b));
            let (a0, a1) = (_mm256_sub_pd(a0, la), _mm256_sub_pd(a1, la));
            let (b0, b1) = (_mm256_sub_pd(b0, lb), _mm256_sub_pd(b1, lb));
            let delta = narrow256(_mm256_sub_pd(a0, b0), _mm256_sub_pd(a1, b1));
            (narrow256(a0, a1), narrow256(b0, b1), delta)
        }
        fn within256(x: __m256, bound: __m256, near: __m256, far: __m256) -> __m256 {
            let size = _mm256_andnot_ps(_mm256_set1_ps(-0.0), x);
            _mm256_blendv_ps(far, near, _mm256_cmp_ps(size, bound, _CMP_LT_OQ))
        }
        fn split256(a: __m256, b: __m256, at: __m256) -> __m256 {
            _mm256_and_ps(_mm256_cmp_ps(a, at, _CMP_GT_OQ), _mm256_cmp_ps(b, at, _CMP_LE_OQ))
        }
        fn shift256(x: __m256) -> __m256 {
            _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_castps_si256(x), 23))
        }
        fn brain256(at: *const __m128i) -> __m256 {
            let wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(at));
            _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16))
        }
        fn above256(x: __m256, at: __m256) -> u32 {
            _mm256_movemask_ps(_mm256_cmp_ps(x, at, _CMP_GT_OQ)).cast_unsigned()
        }
        fn halves512(x: __m512) -> (__m512d, __m512d) {
            let hi = _mm512_extractf64x4_pd(_mm512_castps_pd(x), 1);
            (
                _mm512_cvtps_pd(_mm512_castps512_ps256(x)),
                _mm512_cvtps_pd(_mm256_castpd_ps(hi)),
            )
        }
        fn narrow512(lo: __m512d, hi: __m512d) -> __m512 {
            let lo = _mm512_castps_pd(_mm512_castps256_ps512(_mm512_cvtpd_ps(lo)));
            let hi = _mm256_castps_pd(_mm512_cvtpd_ps(hi));
            _mm512_castpd_ps(_mm512_insertf64x4(lo, hi, 1))
        }
    }

    impl Lanes for Avx2 {
        type Flag = __m256;

        const WIDE: bool = true;

        intrinsics! {
            fn splat(x: f32) -> Self { Self(_mm256_set1_ps(x), _mm256_set1_ps(x)) }
            fn load(from: &Group) -> Self {
                Self(_mm256_loadu_ps(from.as_ptr()), _mm256_loadu_ps(from.as_ptr().add(8)))
            }
            fn from_f16(from: &[u16; LANES]) -> Self {
                let at = from.as_ptr().cast::<__m128i>();
                Self(
                    _mm256_cvtph_ps(_mm_loadu_si128(at)),
                    _mm256_cvtph_ps(_mm_loadu_si128(at.add(1))),
                )
            }
            fn from_bf16(from: &[u16; LANES]) -> Self {
                let at = from.as_ptr().cast::<__m128i>();
                Self(brain256(at), brain256(at.add(1)))
            }
            fn store(self, to: &mut Group) -> () {
                _mm256_storeu_ps(to.as_mut_ptr(), self.0);
                _mm256_storeu_ps(to.as_mut_ptr().add(8), self.1);
            }
            fn add(self, b: Self) -> Self {
                Self(_mm256_add_ps(self.0, b.0), _mm256_add_ps(self.1, b.1))
            }
            fn sub(self, b: Self) -> Self {
                Self(_mm256_sub_ps(self.0, b.0), _mm256_sub_ps(self.1, b.1))
            }
            fn mul(self, b: Self) -> Self {
                Self(_mm256_mul_ps(self.0, b.0), _mm256_mul_ps(self.1, b.1))
            }
            fn max(self, b: Self) -> Self {
                Self(_mm256_max_ps(self.0, b.0), _mm256_max_ps(self.1, b.1))
            }
            fn exponent(self) -> Self { Self(shift256(self.0), shift256(self.1)) }
            fn above(self, at: Self) -> u32 {
                above256(self.0, at.0) | above256(self.1, at.1) << 8
            }
            fn clear() -> __m256 { _mm256_setzero_ps() }
            fn unordered(a: Self, b: Self, flag: __m256) -> __m256 {
                let lo = _mm256_cmp_ps(a.0, b.0, _CMP_UNORD_Q);
                let hi = _mm256_cmp_ps(a.1, b.1, _CMP_UNORD_Q);
                _mm256_or_ps(flag, _mm256_or_ps(lo, hi))
            }
            fn split(a: Self, b: Self, at: Self, flag: __m256) -> __m256 {
                let both = _mm256_or_ps(split256(a.0, b.0, at.0), split256(a.1, b.1, at.1));
                _mm256_or_ps(flag, both)
            }
            fn any(flag: __m256) -> bool { _mm256_movemask_ps(flag) != 0 }
            fn pick_within(x: Self, bound: Self, near: Self, far: Self) -> Self {
                Self(
                    within256(x.0, bound.0, near.0, far.0),
                    within256(x.1, bound.1, near.1, far.1),
                )
            }
            fn centred(a: Self, la: f64, b: Self, lb: f64) -> (Self, Self, Self) {
                let (p0, q0, d0) = centred256(a.0, la, b.0, lb);
                let (p1, q1, d1) = centred256(a.1, la, b.1, lb);
                (Self(p0, p1), Self(q0, q1), Self(d0, d1))
            }
        }
    }

    impl Lanes for Avx512 {
        type Flag = __mmask16;

        const WIDE: bool = true;

        intrinsics! {
            fn splat(x: f32) -> Self { Self(_mm512_set1_ps(x)) }
            fn load(from: &Group) -> Self { Self(_mm512_loadu_ps(from.as_ptr())) }
            fn from_f16(from: &[u16; LANES]) -> Self {
                Self(_mm512_cvtph_ps(_mm256_loadu_si256(from.as_ptr().cast())))
            }
            fn from_bf16(from: &[u16; LANES]) -> Self {
                let wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(from.as_ptr().cast()));
                Self(_mm512_castsi512_ps(_mm512_slli_epi32(wide, 16)))
            }
            fn store(self, to: &mut Group) -> () { _mm512_storeu_ps(to.as_mut_ptr(), self.0); }
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
            fn split(a: Self, b: Self, at: Self, flag: __mmask16) -> __mmask16 {
                let left = _mm512_cmp_ps_mask(a.0, at.0, _CMP_GT_OQ);
                flag | _mm512_mask_cmp_ps_mask(left, b.0, at.0, _CMP_LE_OQ)
            }
            fn any(flag: __mmask16) -> bool { flag != 0 }
            fn pick_within(x: Self, bound: Self, near: Self, far: Self) -> Self {
                let inside = _mm512_cmp_ps_mask(_mm512_abs_ps(x.0), bound.0, _CMP_LT_OQ);
                Self(_mm512_mask_blend_ps(inside, far.0, near.0))
            }
            fn centred(a: Self, la: f64, b: Self, lb: f64) -> (Self, Self, Self) {
                let (la, lb) = (_mm512_set1_pd(la), _mm512_set1_pd(lb));
                let ((a0, a1), (b0, b1)) = (halves512(a.0), halves512(b.0));
                let (a0, a1) = (_mm512_sub_pd(a0, la), _mm512_sub_pd(a1, la));
                let (b0, b1) = (_mm512_sub_pd(b0, lb), _mm512_sub_pd(b1, lb));
                let delta = narrow512(_mm512_sub_pd(a0, b0), _mm512_sub_pd(a1, b1));
                (Self(narrow512(a0, a1)), Self(narrow512(b0, b1)), Self(delta))
            }
        }
    }
}
