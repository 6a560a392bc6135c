//! Character classes the scanners ask about.

/// ASCII letter or digit, by byte.
pub(super) const ALNUM: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < 128 {
        table[i] = (i as u8).is_ascii_alphanumeric();
        i += 1;
    }
    table
};

/// Scripts written without spaces, where each character stands for itself.
#[inline]
pub(super) fn is_ideograph(c: char) -> bool {
    // Apart, or compilers look through the ranges for every character before they know its class.
    #[inline(never)]
    fn listed(c: char) -> bool {
        matches!(c,
            '\u{2E80}'..='\u{2FDF}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}'
            | '\u{3031}'..='\u{3035}' | '\u{3041}'..='\u{3096}' | '\u{309D}'..='\u{309F}'
            | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}'
            | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
            | '\u{FF66}'..='\u{FF9D}' | '\u{20000}'..='\u{3FFFF}')
    }
    c >= '\u{2E80}' && listed(c)
}

/// Combining marks and joiners that belong to the letter before them.
pub(super) fn is_mark(c: char) -> bool {
    c >= '\u{300}'
        && (unicode_normalization::char::is_combining_mark(c)
            || matches!(c, '\u{200C}' | '\u{200D}' | '\u{FE00}'..='\u{FE0F}'))
}

/// Superscript digits, which mark footnotes; squares and cubes belong to units.
pub(super) fn is_superscript(c: char) -> bool {
    matches!(c, '\u{B9}' | '\u{2070}' | '\u{2074}'..='\u{2079}')
}

/// Letters, digits and what goes inside a word without separating it.
pub(super) fn is_word_char(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    c == '°' || is_mark(c) || (c.is_alphanumeric() && !is_superscript(c))
}

/// `½` and its like.
pub(super) fn is_vulgar_fraction(c: char) -> bool {
    matches!(c, '¼' | '½' | '¾' | '\u{2150}'..='\u{215E}')
}

/// Ends a line.
pub(super) fn is_newline(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Can end a sentence.
pub(super) fn is_terminator(c: char) -> bool {
    matches!(
        c,
        '.' | '!' | '?' | '…' | '。' | '！' | '？' | '．' | '｡' | '‽' | '।' | '؟' | '۔' | '։'
    )
}

/// Ends a sentence whatever follows.
pub(super) fn is_hard_terminator(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '।' | '؟' | '۔' | '։')
}

/// Belongs to the sentence whose terminator it follows.
pub(super) fn is_closer(c: char, space: bool) -> bool {
    match c {
        ')' | ']' | '}' | '”' | '»' | '」' | '』' | '）' | '】' | '》' => true,
        '’' | '"' | '\'' | '`' | '*' | '_' | '›' => !space,
        _ => !space && is_superscript(c),
    }
}

/// Something may start right after it.
pub(super) fn is_opener(c: char) -> bool {
    matches!(
        c,
        ':' | '“'
            | '„'
            | '‘'
            | '‚'
            | '«'
            | '‹'
            | '('
            | '['
            | '{'
            | '—'
            | '–'
            | '（'
            | '「'
            | '『'
    )
}

/// White space, and what shows as none.
pub(super) fn is_space(c: char) -> bool {
    match c {
        ' ' | '\t'..='\r' => true,
        _ if c.is_ascii() => false,
        '\u{FEFF}' | '\u{200B}' | '\u{AD}' => true,
        _ => c.is_whitespace(),
    }
}

/// May stand in an address.
pub(super) fn is_url_char(c: char) -> bool {
    !is_space(c) && !matches!(c, '<' | '>' | '"' | '`' | '“' | '”' | '«' | '»') && !is_ideograph(c)
}

/// Parts the thousands of a number.
pub(super) fn is_group_mark(c: char) -> bool {
    matches!(c, ',' | '\'' | '’' | '\u{A0}' | '\u{202F}' | '\u{2009}')
}
