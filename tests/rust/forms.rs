//! JSON in a text, and answers in it against a knowledge base.

use groundwire_core::segment::{FormEvent, FormScanner, unescaped, unpadded};

/// Events of a text that comes in two parts.
fn events(text: &str, cut: usize) -> Vec<FormEvent> {
    let mut scanner = FormScanner::default();
    let mut found = Vec::new();
    let (head, tail) = text.split_at(cut);
    scanner.push(head, 0, &mut |event| found.push(event));
    scanner.push(tail, cut, &mut |event| found.push(event));
    scanner.finish(&mut |event| found.push(event));
    found
}

/// Strings and numbers of a text, those that were cut put together.
fn values(text: &str, cut: usize) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for event in events(text, cut) {
        match event {
            FormEvent::Text { span, opens, .. } => {
                let part = &text[span.start..span.end];
                match out.last_mut() {
                    Some(last) if !opens => last.push_str(part),
                    _ => out.push(part.to_owned()),
                }
            }
            FormEvent::Scalar(span) => out.push(text[span.start..span.end].to_owned()),
            _ => {}
        }
    }
    out
}

fn keys(text: &str) -> Vec<String> {
    let key = |event| match event {
        FormEvent::Key(key) => Some(key),
        _ => None,
    };
    events(text, 0).into_iter().filter_map(key).collect()
}

#[test]
fn strings_numbers_and_keys_are_read() {
    let text = r#"{"a": "one, {two}", "b\"c": [1, -2.5e3, true], "Café": {"d": "x \"y\" z"}} end"#;
    assert_eq!(keys(text), ["a", "b\"c", "Café", "d"]);
    assert_eq!(keys(r#"{"Caf\u00e9 \"x\"": 1}"#), ["Café \"x\""]);
    let found = ["one, {two}", "1", "-2.5e3", "true", r#"x \"y\" z"#];
    assert_eq!(values(text, 0), found);
    let prose = events(text, 0)
        .into_iter()
        .filter(|e| matches!(e, FormEvent::Prose(_)));
    assert_eq!(prose.count(), 1);
}

#[test]
fn a_cut_inside_a_string_changes_nothing() {
    let text = r#"Here: {"name": "Ada \"A.\" Lind", "year": "1931.", "list": ["p", "q"]}"#;
    let whole = values(text, 0);
    let strings = text.find('{').unwrap_or(0) + 10..text.len();
    for cut in strings.filter(|cut| text.is_char_boundary(*cut)) {
        assert_eq!(values(text, cut), whole, "cut at {cut}");
    }
}

#[test]
fn what_opens_no_form_is_text() {
    for text in [
        "Use {name} and [1] here.",
        "A set {\"a\", \"b\"} has two.",
        "[\"quoted\" words] in brackets",
        "{ \"no colon\" }",
        "if (x) { return \"a\"; }",
    ] {
        let text = format!("So: {text}");
        assert!(events(&text, 0).is_empty(), "{text}");
    }
    let deep = format!("{{\"a\": {}", "[".repeat(500));
    let closed = events(&deep, 0)
        .iter()
        .filter(|e| **e == FormEvent::Close)
        .count();
    let opened = events(&deep, 0)
        .iter()
        .filter(|e| matches!(e, FormEvent::Open { .. }))
        .count();
    assert_eq!(opened, closed);
}

#[test]
fn escapes_keep_their_length() {
    for raw in [
        r"a\nb",
        r#"say \"so\" now"#,
        r"back\\slash \/ \t end",
        "plain",
        r"\",
        r"Caf\u00e9 br\u00fbl\u00e9",
        r"\u201cquoted\u201d \u2014 5 \u20ac",
        r"O\u2019Neill\u0027s \u0026 Sons \u0041da",
        r"\ud83d\ude00 \ud83d alone \u12 \u00zz",
    ] {
        assert_eq!(unescaped(raw).len(), raw.len(), "{raw}");
    }
    assert_eq!(unescaped(r#"a \"b\" c"#), "a «b» c");
    for (raw, read) in [
        (r"Caf\u00e9 br\u00fbl\u00e9", "Café brûlé"),
        (r"O\u2019Neill\u0027s", "O’Neill's"),
        (r"5 \u20ac", "5    €"),
        (r"\ud83d\ude00", "        😀"),
        (r"\ud83d", r"\ud83d"),
    ] {
        assert_eq!(unpadded(&unescaped(raw)), read, "{raw}");
    }
}
