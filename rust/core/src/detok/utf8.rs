//! Incremental UTF-8 decoding with replacement characters.

use std::str::from_utf8;

/// Turns bytes that arrive in any pieces into text.
///
/// Every maximal well-formed prefix of a broken character becomes one U+FFFD, which is what
/// Python's `bytes.decode("utf-8", "replace")` and the WHATWG decoder do; the text is the same
/// however the bytes were cut.
///
/// ```
/// use groundwire_core::detok::Utf8State;
/// let (mut state, mut text) = (Utf8State::default(), String::new());
/// state.push(b"caf\xc3", &mut text);
/// assert_eq!((text.as_str(), state.pending()), ("caf", 1));
/// state.push(b"\xa9\xff", &mut text);
/// state.finish(&mut text);
/// assert_eq!(text, "café\u{fffd}");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Utf8State {
    held: [u8; 3],
    len: u8,
}

impl Utf8State {
    /// Appends to `out` the text that `bytes` completes.
    #[inline]
    pub fn push(&mut self, bytes: &[u8], out: &mut String) {
        if self.len == 0
            && let Ok(text) = from_utf8(bytes)
        {
            out.push_str(text);
            return;
        }
        self.push_slow(bytes, out);
    }

    /// Ends the text: a character still incomplete becomes one U+FFFD. The state is fresh again.
    pub fn finish(&mut self, out: &mut String) {
        if self.len > 0 {
            out.push(char::REPLACEMENT_CHARACTER);
            *self = Self::default();
        }
    }

    /// Bytes (0 to 3) that wait for the rest of their character.
    #[must_use]
    pub const fn pending(&self) -> usize {
        self.len as usize
    }

    #[cold]
    fn push_slow(&mut self, bytes: &[u8], out: &mut String) {
        let mut rest = self.complete(bytes, out);
        loop {
            match from_utf8(rest) {
                Ok(text) => return out.push_str(text),
                Err(error) => {
                    let (valid, broken) = rest.split_at(error.valid_up_to());
                    out.push_str(from_utf8(valid).unwrap_or_default());
                    let Some(skip) = error.error_len() else {
                        // An unfinished character is at most three bytes long.
                        self.len = broken.len().min(3) as u8;
                        self.held[..broken.len().min(3)].copy_from_slice(broken);
                        return;
                    };
                    out.push(char::REPLACEMENT_CHARACTER);
                    rest = &broken[skip..];
                }
            }
        }
    }

    /// Finishes the held character with the first of `bytes`; returns the bytes not used.
    fn complete<'a>(&mut self, bytes: &'a [u8], out: &mut String) -> &'a [u8] {
        for used in 0..bytes.len() {
            let held = self.len as usize;
            if held == 0 {
                return &bytes[used..];
            }
            let mut buffer = [0; 4];
            buffer[..held].copy_from_slice(&self.held[..held]);
            buffer[held] = bytes[used];
            match from_utf8(&buffer[..=held]) {
                Ok(text) => {
                    out.push_str(text);
                    *self = Self::default();
                }
                Err(error) if error.error_len().is_none() && held < 3 => {
                    self.held[held] = bytes[used];
                    self.len += 1;
                }
                // The held bytes were a well-formed prefix: the new byte broke it and starts over.
                Err(_) => {
                    out.push(char::REPLACEMENT_CHARACTER);
                    *self = Self::default();
                    return &bytes[used..];
                }
            }
        }
        &[]
    }
}
