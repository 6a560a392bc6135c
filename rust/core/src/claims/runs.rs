//! Where the letters and digits of a text stand, for what is told of it by how its words begin.

/// Runs of letters and digits of a text, each with where it begins and how long it is.
#[derive(Debug, Default)]
pub(crate) struct Runs(Option<Vec<(u32, u32)>>);

impl Runs {
    /// Those of a text.
    pub(crate) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut runs = Vec::with_capacity(text.len() / 6 + 1);
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if !byte.is_ascii() {
                let Some(mark) = text[at..].chars().next().filter(|c| parts_words(*c)) else {
                    return Self(None);
                };
                at += mark.len_utf8();
                continue;
            }
            let own = bytes[at..].iter().take_while(|b| b.is_ascii_alphanumeric());
            let len = own.count();
            if len > 0 {
                runs.push((at as u32, len as u32));
            }
            at += len.max(1);
        }
        Self(Some(runs))
    }

    /// All of them; `None` where a character is folded to other letters, so that any word may stand there.
    pub(crate) fn all(&self) -> Option<&[(u32, u32)]> {
        self.0.as_deref()
    }
}

/// Whether folding leaves a mark where the character stands, or a space.
fn parts_words(c: char) -> bool {
    matches!(c, '\u{a0}' | '\u{2010}'..='\u{2015}' | '\u{2018}'..='\u{201f}' | '•' | '…')
}
