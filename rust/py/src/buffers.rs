//! Borrows rows of logits through the buffer protocol and DLPack; the binding's only unsafe code.

/// A file mapped into memory, read in place.
///
/// # Errors
/// The file system's, where the file cannot be opened or mapped.
#[allow(unsafe_code)]
pub fn map_file(path: &std::path::Path) -> std::io::Result<groundwire_core::entities::Bytes> {
    let file = std::fs::File::open(path)?;
    if file.metadata()?.len() == 0 {
        return Ok(std::sync::Arc::new(Vec::new()));
    }
    // SAFETY: the map is read-only and only ever read through bounds-checked accesses of single
    // bytes, so that a file changed by someone else gives wrong answers, not undefined values of
    // a type; `save` replaces files by renaming, which leaves a map of the old one whole.
    let map = unsafe { memmap2::Mmap::map(&file)? };
    Ok(std::sync::Arc::new(map))
}
