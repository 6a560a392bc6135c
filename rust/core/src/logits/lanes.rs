//! What the kernels need of a group of lanes, and the plain version of it.

/// Lanes of a group.
pub(super) const LANES: usize = 16;

/// Sixteen neighbouring elements.
pub(super) type Group = [f32; LANES];

/// Sixteen `f32` lanes. Every operation is lane by lane, rounded once as IEEE 754 says.
pub(super) trait Lanes: Copy {
    /// A condition remembered over many groups.
    type Flag: Copy;

    /// Whether there are registers enough to work on several groups side by side.
    const WIDE: bool;

    /// The same value in every lane.
    fn splat(x: f32) -> Self;
    /// The elements of a group.
    fn load(from: &Group) -> Self;
    /// Half precision, widened.
    fn from_f16(from: &[u16; LANES]) -> Self;
    /// Brain floats, widened.
    fn from_bf16(from: &[u16; LANES]) -> Self;
    /// Writes the lanes out.
    fn store(self, to: &mut Group);
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
    /// `flag`, or where `a` > `at` ≥ `b`.
    fn split(a: Self, b: Self, at: Self, flag: Self::Flag) -> Self::Flag;
    /// Whether the condition held anywhere.
    fn any(flag: Self::Flag) -> bool;
    /// `near` where |x| < bound, else `far`.
    fn pick_within(x: Self, bound: Self, near: Self, far: Self) -> Self;
    /// `a − la`, `b − lb` and the difference of the two, taken in f64 and rounded once.
    fn centred(a: Self, la: f64, b: Self, lb: f64) -> (Self, Self, Self);
}

/// Lanes without instructions of their own; compilers make vectors of it where they can.
#[derive(Clone, Copy)]
pub(super) struct Plain(Group);

impl Plain {
    #[inline(always)]
    fn zip(self, b: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], b.0[i])))
    }
}

impl Lanes for Plain {
    type Flag = [bool; LANES];

    const WIDE: bool = false;

    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self([x; LANES])
    }
    #[inline(always)]
    fn load(from: &Group) -> Self {
        Self(*from)
    }
    #[inline(always)]
    fn from_f16(from: &[u16; LANES]) -> Self {
        Self(from.map(|bits| half::f16::from_bits(bits).to_f32()))
    }
    #[inline(always)]
    fn from_bf16(from: &[u16; LANES]) -> Self {
        Self(from.map(|bits| f32::from_bits(u32::from(bits) << 16)))
    }
    #[inline(always)]
    fn store(self, to: &mut Group) {
        *to = self.0;
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
        (0..LANES).fold(0, |mask, i| mask | u32::from(self.0[i] > at.0[i]) << i)
    }
    #[inline(always)]
    fn clear() -> Self::Flag {
        [false; LANES]
    }
    #[inline(always)]
    fn unordered(a: Self, b: Self, flag: Self::Flag) -> Self::Flag {
        std::array::from_fn(|i| flag[i] | a.0[i].is_nan() | b.0[i].is_nan())
    }
    #[inline(always)]
    fn split(a: Self, b: Self, at: Self, flag: Self::Flag) -> Self::Flag {
        std::array::from_fn(|i| flag[i] | ((a.0[i] > at.0[i]) & (b.0[i] <= at.0[i])))
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
    #[inline(always)]
    fn centred(a: Self, la: f64, b: Self, lb: f64) -> (Self, Self, Self) {
        let (mut p, mut q, mut delta) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for i in 0..LANES {
            let (x, y) = (f64::from(a.0[i]) - la, f64::from(b.0[i]) - lb);
            p[i] = x as f32;
            q[i] = y as f32;
            delta[i] = (x - y) as f32;
        }
        (Self(p), Self(q), Self(delta))
    }
}
