//! Many literals and regexes over a stream at once.
