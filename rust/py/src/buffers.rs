//! Borrows rows of logits through the buffer protocol and DLPack; the binding's only unsafe code.
//!
//! Nothing is copied. While a borrowed row is read the interpreter is released, as NumPy and
//! torch do in their own reductions; whoever writes to the array meanwhile gets mixed numbers.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_void};
use std::slice;

use groundwire_core::logits::Row;
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::errors::raise;

/// DLPack device types whose memory the processor reads: plain and page-locked for CUDA.
const HOST_DEVICES: [i32; 2] = [1, 3];
/// DLPack type codes.
const DL_FLOAT: u8 = 2;
const DL_BFLOAT: u8 = 4;
/// The only major version of the versioned structure there is.
const DL_MAJOR: u32 = 1;

#[repr(C)]
struct DlTensor {
    data: *mut c_void,
    device: [i32; 2],
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

#[repr(C)]
struct DlVersioned {
    version: [u32; 2],
    manager: *mut c_void,
    deleter: *mut c_void,
    flags: u64,
    tensor: DlTensor,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    F32,
    F16,
    Bf16,
}

impl Kind {
    const fn size(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::Bf16 => 2,
        }
    }
}

/// Keeps the memory alive; given back when dropped.
#[allow(dead_code, reason = "held for their destructors")]
enum Owner {
    Buffer(PyUntypedBuffer),
    Capsule(Py<PyCapsule>),
}

/// A row or a batch of rows, borrowed from a Python object for as long as this lives.
pub struct Borrowed {
    first: *const u8,
    kind: Kind,
    rows: usize,
    columns: usize,
    /// Bytes from a row to the next.
    step: isize,
    batch: bool,
    _owner: Owner,
}

fn argument(message: impl AsRef<str>) -> PyErr {
    raise("ArgumentError", message.as_ref())
}

impl Borrowed {
    /// Checks what was found at `data`: `shape` and `strides` in bytes, one entry a dimension.
    fn new(
        data: *const c_void,
        kind: Kind,
        shape: &[usize],
        strides: &[isize],
        owner: Owner,
    ) -> PyResult<Self> {
        let (rows, columns, step, inner) = match (shape, strides) {
            ([columns], [inner]) => (1, *columns, 0, *inner),
            ([rows, columns], [step, inner]) => (*rows, *columns, *step, *inner),
            _ => {
                let n = shape.len();
                return Err(argument(format!(
                    "logits have one dimension (a row) or two (a batch of rows), not {n}"
                )));
            }
        };
        if columns > 1 && inner != kind.size() as isize {
            return Err(argument(
                "the logits of a row do not lie side by side in memory; pass .contiguous() \
                 (torch) or numpy.ascontiguousarray(…)",
            ));
        }
        let first = data.cast::<u8>();
        let aligned = |address: usize| address.is_multiple_of(kind.size());
        if rows > 0 && columns > 0 {
            if first.is_null() {
                return Err(argument("the logits have a shape but no memory"));
            }
            if !aligned(first.addr()) || (rows > 1 && !aligned(step.unsigned_abs())) {
                return Err(argument(
                    "the logits are not aligned in memory; pass a copy",
                ));
            }
        }
        Ok(Self {
            first,
            kind,
            rows,
            columns,
            step,
            batch: shape.len() == 2,
            _owner: owner,
        })
    }

    fn at(&self, index: usize) -> Row<'_> {
        if self.columns == 0 || index >= self.rows {
            return Row::F32(&[]);
        }
        // SAFETY: the owner vouches for `rows` rows of `columns` elements, `step` bytes apart,
        // from `first` on, alive as long as `self`; `new` checked that the elements of a row lie
        // side by side and are aligned; any bits are a valid f32 or u16.
        unsafe {
            let start = self.first.offset(index as isize * self.step);
            match self.kind {
                Kind::F32 => Row::F32(slice::from_raw_parts(start.cast(), self.columns)),
                Kind::F16 => Row::F16(slice::from_raw_parts(start.cast(), self.columns)),
                Kind::Bf16 => Row::Bf16(slice::from_raw_parts(start.cast(), self.columns)),
            }
        }
    }

    /// The row, of an object with one dimension.
    pub fn row(&self) -> PyResult<Row<'_>> {
        if self.batch {
            return Err(argument(
                "one row of logits is wanted, not a batch; pass batch[i]",
            ));
        }
        Ok(self.at(0))
    }

    /// The rows of a batch; the one row of an object with one dimension.
    pub fn rows(&self) -> Vec<Row<'_>> {
        (0..self.rows).map(|i| self.at(i)).collect()
    }
}

/// Borrows `object`: a NumPy array, `array.array`, `memoryview` or other buffer of float32 or
/// float16; uint16 and `ml_dtypes` bfloat16 as brain floats; a torch CPU tensor or any other
/// object with `__dlpack__`, of float32, float16 or bfloat16.
pub fn borrow(object: &Bound<'_, PyAny>) -> PyResult<Borrowed> {
    // SAFETY: a check of the object's type, which is alive.
    if unsafe { pyo3::ffi::PyObject_CheckBuffer(object.as_ptr()) } != 0 {
        return match PyUntypedBuffer::get(object) {
            Ok(buffer) => from_buffer(buffer),
            // NumPy cannot describe brain floats to others, but can show their bits.
            Err(_) if dtype(object).is_some_and(|name| name == "bfloat16") => from_buffer(
                PyUntypedBuffer::get(&object.call_method1("view", ("uint16",))?)?,
            ),
            Err(error) => Err(argument(format!(
                "this is no plain array of one dimension (a row of logits) or two: {error}"
            ))),
        };
    }
    if object.hasattr("__dlpack__")? {
        return from_dlpack(object);
    }
    let kind = object.get_type().name()?;
    Err(argument(format!(
        "logits are a NumPy array, a torch CPU tensor or another object with the buffer protocol \
         or __dlpack__, not {kind}"
    )))
}

/// Runs `work` over the borrowed row, the interpreter released.
pub fn with_row<R: Send>(
    object: &Bound<'_, PyAny>,
    work: impl FnOnce(Row<'_>) -> R + Send,
) -> PyResult<R> {
    let borrowed = borrow(object)?;
    let row = borrowed.row()?;
    Ok(object.py().detach(|| work(row)))
}

/// Runs `work` over the rows of a borrowed batch, the interpreter released.
pub fn with_rows<R: Send>(
    object: &Bound<'_, PyAny>,
    work: impl FnOnce(&[Row<'_>]) -> R + Send,
) -> PyResult<R> {
    let borrowed = borrow(object)?;
    let rows = borrowed.rows();
    Ok(object.py().detach(|| work(&rows)))
}

fn dtype(object: &Bound<'_, PyAny>) -> Option<String> {
    object
        .getattr("dtype")
        .ok()?
        .getattr("name")
        .ok()?
        .extract()
        .ok()
}

fn wrong_type(found: &str) -> PyErr {
    argument(format!(
        "logits are float32, float16 or bfloat16 in native byte order, not {found}; convert with \
         .float() (torch) or .astype(\"float32\") (NumPy)"
    ))
}

fn from_buffer(buffer: PyUntypedBuffer) -> PyResult<Borrowed> {
    let format = buffer.format().to_bytes();
    let native: &[u8] = if cfg!(target_endian = "little") {
        b"@=<"
    } else {
        b"@=>!"
    };
    let code = match format {
        [order, code] if native.contains(order) => *code,
        [code] => *code,
        _ => 0,
    };
    let kind = match (code, buffer.item_size()) {
        (b'f', 4) => Kind::F32,
        (b'e', 2) => Kind::F16,
        (b'H', 2) => Kind::Bf16,
        _ => {
            return Err(wrong_type(&format!(
                "format {:?}",
                String::from_utf8_lossy(format)
            )));
        }
    };
    if buffer
        .suboffsets()
        .is_some_and(|all| all.iter().any(|&offset| offset >= 0))
    {
        return Err(argument(
            "the logits lie behind pointers; pass a plain array",
        ));
    }
    let (data, shape, strides) = (
        buffer.buf_ptr(),
        buffer.shape().to_vec(),
        buffer.strides().to_vec(),
    );
    Borrowed::new(data, kind, &shape, &strides, Owner::Buffer(buffer))
}

/// What a tensor's own library says of one that holds no rows of numbers (sparse, quantized, "meta").
fn unreadable(py: Python<'_>, error: &PyErr) -> PyErr {
    let said = error.value(py).to_string();
    argument(format!(
        "the tensor cannot be read ({}); give dense float rows in the memory of the CPU",
        said.trim_end_matches('.')
    ))
}

fn from_dlpack(object: &Bound<'_, PyAny>) -> PyResult<Borrowed> {
    let py = object.py();
    let place = object.call_method0("__dlpack_device__");
    let (device, _): (i32, i32) = place.map_err(|error| unreadable(py, &error))?.extract()?;
    on_host(device)?;
    // torch refuses to export what it may still differentiate; the numbers are the same.
    let detached = match object.getattr_opt("requires_grad")? {
        Some(wanted) if wanted.extract().unwrap_or(false) => object.call_method0("detach")?,
        _ => object.clone(),
    };
    let options = PyDict::new(py);
    options.set_item("max_version", (DL_MAJOR, 0))?;
    let capsule = match detached.call_method("__dlpack__", (), Some(&options)) {
        // Exporters older than the versioned structure do not know the option.
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            detached.call_method0("__dlpack__")
        }
        other => other,
    };
    let capsule = capsule.map_err(|error| unreadable(py, &error))?;
    let capsule = capsule
        .cast_into::<PyCapsule>()
        .map_err(|_| argument("__dlpack__ gave something that is not a DLPack capsule"))?;
    let (tensor, owner) = tensor_of(capsule)?;
    // SAFETY: `tensor_of` found a tensor that the capsule, now in `owner`, keeps alive.
    let tensor = unsafe { &*tensor };
    on_host(tensor.device[0])?;
    let kind = match (tensor.code, tensor.bits, tensor.lanes) {
        (DL_FLOAT, 32, 1) => Kind::F32,
        (DL_FLOAT, 16, 1) => Kind::F16,
        (DL_BFLOAT, 16, 1) => Kind::Bf16,
        (code, bits, _) => return Err(wrong_type(&format!("DLPack type {code} of {bits} bits"))),
    };
    let ndim = usize::try_from(tensor.ndim).unwrap_or(0);
    if ndim == 0 || tensor.shape.is_null() {
        return Err(argument(
            "logits have one dimension (a row) or two (a batch), not 0",
        ));
    }
    // SAFETY: DLPack says that `shape` has `ndim` entries.
    let shape = unsafe { slice::from_raw_parts(tensor.shape, ndim) };
    let shape: Vec<usize> = shape
        .iter()
        .map(|&n| usize::try_from(n).unwrap_or(0))
        .collect();
    let size = kind.size() as isize;
    let strides: Vec<isize> = if tensor.strides.is_null() {
        let mut step = size;
        let mut out = vec![0; ndim];
        for (slot, &n) in out.iter_mut().zip(&shape).rev() {
            *slot = step;
            step = step.saturating_mul(n as isize);
        }
        out
    } else {
        // SAFETY: where it is not null, `strides` has `ndim` entries too.
        let strides = unsafe { slice::from_raw_parts(tensor.strides, ndim) };
        strides
            .iter()
            .map(|&n| (n as isize).saturating_mul(size))
            .collect()
    };
    let data = tensor
        .data
        .cast::<u8>()
        .wrapping_add(tensor.byte_offset as usize);
    Borrowed::new(
        data.cast::<c_void>().cast_const(),
        kind,
        &shape,
        &strides,
        owner,
    )
}

fn on_host(device: i32) -> PyResult<()> {
    if HOST_DEVICES.contains(&device) {
        return Ok(());
    }
    Err(argument(format!(
        "the logits are on another device (DLPack device type {device}); pass row.cpu()"
    )))
}

/// The tensor inside an unused capsule. The capsule is kept, not consumed: its own destructor
/// gives the memory back once it is dropped.
fn tensor_of(capsule: Bound<'_, PyCapsule>) -> PyResult<(*const DlTensor, Owner)> {
    const VERSIONED: &CStr = c"dltensor_versioned";
    const LEGACY: &CStr = c"dltensor";
    let tensor = if capsule.is_valid_checked(Some(VERSIONED)) {
        let found = capsule
            .pointer_checked(Some(VERSIONED))?
            .cast::<DlVersioned>();
        // SAFETY: a capsule of this name holds this structure; its version comes first in every
        // version of it.
        let found = unsafe { found.as_ref() };
        if found.version[0] != DL_MAJOR {
            let [major, minor] = found.version;
            return Err(argument(format!(
                "DLPack {major}.{minor} is not known; 1.x is"
            )));
        }
        &raw const found.tensor
    } else if capsule.is_valid_checked(Some(LEGACY)) {
        // The managed structure begins with its tensor.
        capsule
            .pointer_checked(Some(LEGACY))?
            .cast::<DlTensor>()
            .as_ptr()
            .cast_const()
    } else {
        return Err(argument(
            "__dlpack__ gave a capsule that is not a tensor, or one used before",
        ));
    };
    Ok((tensor, Owner::Capsule(capsule.unbind())))
}

/// Runs `work` over two borrowed rows, the interpreter released.
pub fn with_pair<R: Send>(
    first: &Bound<'_, PyAny>,
    second: &Bound<'_, PyAny>,
    work: impl FnOnce(Row<'_>, Row<'_>) -> R + Send,
) -> PyResult<R> {
    let (a, b) = (borrow(first)?, borrow(second)?);
    let (a, b) = (a.row()?, b.row()?);
    Ok(first.py().detach(|| work(a, b)))
}

/// Runs `work` over the rows of two borrowed batches, the interpreter released.
pub fn with_row_pairs<R: Send>(
    first: &Bound<'_, PyAny>,
    second: &Bound<'_, PyAny>,
    work: impl FnOnce(&[Row<'_>], &[Row<'_>]) -> R + Send,
) -> PyResult<R> {
    let (a, b) = (borrow(first)?, borrow(second)?);
    let (a, b) = (a.rows(), b.rows());
    Ok(first.py().detach(|| work(&a, &b)))
}

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
