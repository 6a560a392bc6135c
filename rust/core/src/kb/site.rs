//! Addresses of websites.

use super::compare::Agreement;

/// A host and what lies on it, without scheme, "www." and a slash at the end.
fn site(word: &str) -> Option<(String, String)> {
    let word = word.trim_end_matches(['.', '!', '?', '/']).to_lowercase();
    let bare = word.split_once("://").map_or(&*word, |(_, rest)| rest);
    let bare = bare.strip_prefix("www.").unwrap_or(bare);
    let (host, path) = bare.split_at(bare.find(['/', '?', '#']).unwrap_or(bare.len()));
    let label =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '-');
    let (_, top) = host.rsplit_once('.')?;
    let whole = host.split('.').all(label) && top.len() > 1;
    (whole && top.chars().all(char::is_alphabetic)).then(|| (host.to_owned(), path.to_owned()))
}

/// How what is said stands to a text that is the address of a website as a whole; `None` where one of
/// them is none. A page or a part of the same site may be named for it.
pub(super) fn site_agrees(said: &str, value: &str) -> Option<Agreement> {
    let own = site(value.trim())?;
    let parts = |c: char| c.is_whitespace() || "<>()[],;\"“”".contains(c);
    let said = said.split(parts).find_map(site)?;
    let under = |part: &str, whole: &str| {
        part.strip_suffix(whole)
            .is_some_and(|rest| rest.ends_with('.'))
    };
    Some(if said.0 == own.0 {
        if said.1.starts_with(&own.1) || said.1.is_empty() {
            Agreement::Same
        } else {
            Agreement::Incomparable
        }
    } else if under(&said.0, &own.0) || under(&own.0, &said.0) {
        Agreement::Incomparable
    } else {
        Agreement::Different
    })
}
