//! What the kernels need of a group of lanes, and the plain version of it.

/// Lanes of a group.
pub(super) const LANES: usize = 16;

/// Sixteen neighbouring elements.
pub(super) type Group = [f32; LANES];

/// `f32` lanes in one register: a group or an even part of one. Every operation is lane by lane,
/// rounded once as IEEE 754 says.
pub(super) trait Lanes: Copy {
    /// A condition remembered over many groups.
    type Flag: Copy;

    /// How many of these make a group.
    const PARTS: usize;

    /// The same value in every lane.
    fn splat(x: f32) -> Self;
    /// Part `part` of a group.
    fn load(from: &Group, part: usize) -> Self;
    /// Half precision, widened.
    fn from_f16(from: &[u16; LANES], part: usize) -> Self;
    /// Brain floats, widened.
    fn from_bf16(from: &[u16; LANES], part: usize) -> Self;
    /// Writes the lanes out.
    fn store(self, to: &mut Group, part: usize);
    /// Sum.
    fn add(self, b: Self) -> Self;
    /// Difference.
    fn sub(self, b: Self) -> Self;
    /// Product.
    fn mul(self, b: Self) -> Self;
    /// The greater; `b` where they are equal or one is NaN.
    fn max(self, b: Self) -> Self;
    /// The float whose bits are these bits shifted left by 23: low bits become the exponent.
    fn exponent(self) -> Self;
    /// Bit `i` set where lane `i` is greater than that of `at`.
    fn above(self, at: Self) -> u32;
    /// Nowhere.
    fn clear() -> Self::Flag;
    /// `flag`, or where `a` or `b` is NaN.
    fn unordered(a: Self, b: Self, flag: Self::Flag) -> Self::Flag;
    /// Whether the condition held anywhere.
    fn any(flag: Self::Flag) -> bool;
    /// `near` where |x| < bound, else `far`.
    fn pick_within(x: Self, bound: Self, near: Self, far: Self) -> Self;
}

/// Lanes of [`Plain`]: what the plainest vector registers hold.
const FEW: usize = 4;

/// Lanes without instructions of their own; compilers make vectors of it where they can.
#[derive(Clone, Copy)]
pub(super) struct Plain([f32; FEW]);

impl Plain {
    #[inline(always)]
    fn zip(self, b: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], b.0[i])))
    }
}

impl Lanes for Plain {
    type Flag = [bool; FEW];

    const PARTS: usize = LANES / FEW;

    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self([x; FEW])
    }
    #[inline(always)]
    fn load(from: &Group, part: usize) -> Self {
        Self(from.as_chunks().0[part])
    }
    #[inline(always)]
    fn from_f16(from: &[u16; LANES], part: usize) -> Self {
        Self(from.as_chunks().0[part].map(|bits| half::f16::from_bits(bits).to_f32()))
    }
    #[inline(always)]
    fn from_bf16(from: &[u16; LANES], part: usize) -> Self {
        Self(from.as_chunks().0[part].map(|bits| f32::from_bits(u32::from(bits) << 16)))
    }
    #[inline(always)]
    fn store(self, to: &mut Group, part: usize) {
        to.as_chunks_mut().0[part] = self.0;
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        self.zip(b, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        self.zip(b, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        self.zip(b, |a, b| a * b)
    }
    #[inline(always)]
    fn max(self, b: Self) -> Self {
        self.zip(b, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn exponent(self) -> Self {
        Self(self.0.map(|x| f32::from_bits(x.to_bits() << 23)))
    }
    #[inline(always)]
    fn above(self, at: Self) -> u32 {
        (0..FEW).fold(0, |mask, i| mask | u32::from(self.0[i] > at.0[i]) << i)
    }
    #[inline(always)]
    fn clear() -> Self::Flag {
        [false; FEW]
    }
    #[inline(always)]
    fn unordered(a: Self, b: Self, flag: Self::Flag) -> Self::Flag {
        std::array::from_fn(|i| flag[i] | a.0[i].is_nan() | b.0[i].is_nan())
    }
    #[inline(always)]
    fn any(flag: Self::Flag) -> bool {
        flag.contains(&true)
    }
    #[inline(always)]
    fn pick_within(x: Self, bound: Self, near: Self, far: Self) -> Self {
        Self(std::array::from_fn(|i| {
            if x.0[i].abs() < bound.0[i] {
                near.0[i]
            } else {
                far.0[i]
            }
        }))
    }
}
