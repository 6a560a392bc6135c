//! A borrowed row of logits and its blocks.

use super::lanes::{Group, LANES};
use super::simd::{Simd, brain_to_single, half_to_single};

/// Groups whose peak is looked for, and that are summed, in one go.
pub(super) const PART: usize = 64;
/// Groups of a block.
pub(super) const GROUPS: usize = 256;
/// Elements of a block: 16 KiB in f32, so that a block read twice comes from the nearest cache.
pub(super) const BLOCK: usize = GROUPS * LANES;

/// Room for one block, on the stack.
#[repr(align(64))]
pub(super) struct Scratch(pub [Group; GROUPS]);

impl Scratch {
    pub fn new() -> Self {
        Self([[f32::NEG_INFINITY; LANES]; GROUPS])
    }
}

/// One row of logits, borrowed.
#[derive(Debug, Clone, Copy)]
pub enum Row<'a> {
    /// Single precision.
    F32(&'a [f32]),
    /// IEEE 754 half precision, as bits.
    F16(&'a [u16]),
    /// Brain floats (the upper half of an f32), as bits.
    Bf16(&'a [u16]),
}

impl<'a> Row<'a> {
    /// Number of tokens.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::F32(x) => x.len(),
            Self::F16(x) | Self::Bf16(x) => x.len(),
        }
    }

    /// Whether there is no token.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The logit of token `index`, if there is such a token.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<f32> {
        match self {
            Self::F32(x) => x.get(index).copied(),
            Self::F16(x) => x
                .get(index)
                .map(|&bits| half::f16::from_bits(bits).to_f32()),
            Self::Bf16(x) => x
                .get(index)
                .map(|&bits| f32::from_bits(u32::from(bits) << 16)),
        }
    }

    /// The block that begins at `start`, as whole groups; what the last group lacks is −∞.
    /// Borrows the row itself where it can.
    pub(super) fn block<'s>(
        &self,
        simd: Simd,
        start: usize,
        scratch: &'s mut Scratch,
    ) -> &'s [Group]
    where
        'a: 's,
    {
        let end = self.len().min(start + BLOCK);
        let groups = (end - start).div_ceil(LANES);
        let widen = match self {
            Self::F32(x) => {
                let (whole, rest) = x[start..end].as_chunks::<LANES>();
                if rest.is_empty() {
                    return whole;
                }
                scratch.0[..whole.len()].copy_from_slice(whole);
                let last = &mut scratch.0[whole.len()];
                last.fill(f32::NEG_INFINITY);
                last[..rest.len()].copy_from_slice(rest);
                return &scratch.0[..groups];
            }
            Self::F16(_) => half_to_single,
            Self::Bf16(_) => brain_to_single,
        };
        let (Self::F16(x) | Self::Bf16(x)) = self else {
            unreachable!("single precision returned")
        };
        let (whole, rest) = x[start..end].as_chunks::<LANES>();
        widen(simd, whole, &mut scratch.0);
        if !rest.is_empty() {
            let mut bits = [0; LANES];
            bits[..rest.len()].copy_from_slice(rest);
            let last = &mut scratch.0[whole.len()..groups];
            widen(simd, &[bits], last);
            last[0][rest.len()..].fill(f32::NEG_INFINITY);
        }
        &scratch.0[..groups]
    }
}
