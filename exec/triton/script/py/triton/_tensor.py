"""What a kernel may be given as a tensor: arrays of NumPy, tensors of PyTorch, buffers of Python."""
import ctypes
import sys

from .language import Builtin, constexpr, dtype

NUMPY = {
    "|b1": "bool", "|i1": "int8", "<i2": "int16", "<i4": "int32", "<i8": "int64", "|u1": "uint8", "<u2": "uint16", "<u4": "uint32",
    "<u8": "uint64", "<f2": "float16", "<f4": "float32", "<f8": "float64",
}
BUFFERS = {
    "?": "bool", "b": "int8", "h": "int16", "i": "int32", "l": "int64" if ctypes.sizeof(ctypes.c_long) == 8 else "int32", "q": "int64",
    "B": "uint8", "H": "uint16", "I": "uint32", "L": "uint64" if ctypes.sizeof(ctypes.c_long) == 8 else "uint32", "Q": "uint64",
    "e": "float16", "f": "float32", "d": "float64", "c": "uint8",
}


class Tensor:
    """Memory of the process: bytes lo to hi, seen through a dtype, a shape and strides in elements."""

    __slots__ = ("of", "lo", "hi", "dtype", "shape", "strides", "writable", "owner", "region", "at")

    def __init__(self, of, address, name, size, shape, strides, writable, owner):
        self.of, self.lo, self.dtype, self.shape, self.strides = of, address, name, shape, strides
        self.writable, self.owner = writable, owner
        last = 0
        for n, s in zip(shape, strides):
            if n == 0:
                self.hi = address
                return
            if s < 0:
                raise TypeError("a tensor with a negative stride: copy it first")
            last += (n - 1) * s
        self.hi = address + (last + 1) * size


class Described(Tensor):
    """A tensor whose descriptor the host made: (shape, strides, block shape, whether it pads with NaN)."""

    __slots__ = ("descriptor",)


class Descriptor:
    """A tensor descriptor that the host makes."""

    def __init__(self, base, shape, strides, block_shape, padding="zero", **options):
        self.base, self.shape, self.strides, self.block_shape, self.padding = base, shape, strides, block_shape, padding

    @staticmethod
    def from_tensor(tensor, block_shape, padding="zero", **options):
        strides = tensor.stride() if callable(getattr(tensor, "stride", None)) else [s // tensor.itemsize for s in tensor.strides]
        return Descriptor(tensor, tensor.shape, strides, block_shape, padding)

    def __tiler__(self):
        numbers = [[int(getattr(n, "value", n)) for n in v] for v in (self.shape, self.strides, self.block_shape)]
        numbers.append(self.padding == "nan")
        x = argument(self.base)
        if not isinstance(x, Tensor):
            return ["q", x] + numbers
        t = Described.__new__(Described)
        for name in Tensor.__slots__:
            if hasattr(x, name):
                setattr(t, name, getattr(x, name))
        t.descriptor = numbers
        return t


class Virtual:
    """A tensor without memory, for tiler check: virtual((1 << 20, 1 << 12), "float32")."""

    def __init__(self, shape, dtype="float32"):
        self.shape = (shape,) if isinstance(shape, int) else tuple(int(n) for n in shape)
        self.dtype = dtype

    def stride(self, dim=None):
        steps, n = [], 1
        for size in reversed(self.shape):
            steps.insert(0, n)
            n *= size
        return tuple(steps) if dim is None else steps[dim]

    def numel(self):
        n = 1
        for size in self.shape:
            n *= size
        return n

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def __repr__(self):
        return "virtual(%r, %r)" % (self.shape, name_of(self.dtype))


virtual = Virtual


class Reinterpreted:
    """A tensor whose bits are read as another dtype."""

    def __init__(self, base, dtype):
        self.base, self.dtype = base, dtype
        self.data = getattr(base, "data", base)
        self.shape, self.is_cuda, self.device = base.shape, True, getattr(base, "device", None)

    def data_ptr(self):
        return self.base.data_ptr()

    def stride(self, *dim):
        return self.base.stride(*dim)


def name_of(d):
    """The name of a dtype of Triton, PyTorch or NumPy."""
    if isinstance(d, str):
        return d
    if isinstance(d, dtype):
        return d.name
    text = str(d)
    return text[6:] if text.startswith("torch.") else getattr(d, "name", None) or text


_numpy_dtypes = {}


def _numpy_dtype(d):
    name = NUMPY.get(d.str) or {"bfloat16": "bfloat16", "float8_e5m2": "float8_e5m2", "float8_e4m3fn": "float8_e4m3fn"}.get(d.name)
    if name is None:
        raise TypeError("an array of %s: a kernel takes %s" % (d, ", ".join(sorted(set(NUMPY.values())))))
    _numpy_dtypes[d] = name
    return name


# What arrays of a dtype, shape and strides have alike: the dtype's name, the size of an element, strides in elements, bytes
# from the first to the last.
_layouts = {}


def _numpy_layout(d, shape, steps):
    name = _numpy_dtypes.get(d) or _numpy_dtype(d)
    size = d.itemsize
    if any(s % size for s in steps):
        raise TypeError("an array whose strides are no multiples of its elements: copy it first")
    strides = [s // size for s in steps]
    t = Tensor(None, 0, name, size, shape, strides, True, None)
    if len(_layouts) > 1000:
        _layouts.clear()
    z = _layouts[d, shape, steps] = name, size, strides, t.hi
    return z


def of_numpy(a):
    shape = a.shape
    name, size, strides, extent = _layouts.get((a.dtype, shape, a.strides)) or _numpy_layout(a.dtype, shape, a.strides)
    address, readonly = a.__array_interface__["data"]
    if address % size:
        raise TypeError("an array that is not aligned to its elements: copy it first")

    def owner():
        top = a
        while type(top.base) is type(a) or type(top.base).__module__ == "numpy" and hasattr(top.base, "ctypes"):
            top = top.base
        if top.base is None and top.flags.owndata:
            return top.__array_interface__["data"][0], top.nbytes, True
        return None

    t = Tensor.__new__(Tensor)
    t.of, t.lo, t.hi, t.dtype, t.shape, t.strides, t.writable, t.owner = a, address, address + extent, name, shape, strides, not readonly, owner
    return t


_torch_dtypes = {}


def of_torch(x):
    with _plain():
        d = x.dtype
        entry = _torch_dtypes.get(d)
        if entry is None:
            entry = _torch_dtypes[d] = (str(d)[6:], x.element_size())
        name, size = entry
        if x.device.type == "meta":
            return ["v", name, list(x.shape), list(x.stride())]
        if x.device.type != "cpu":
            raise TypeError("a tensor on %s: kernels run on the CPU" % x.device)
        if x.is_sparse or x.is_quantized:
            raise TypeError("a tensor that is not dense")
        address, shape, strides = x.data_ptr(), tuple(x.shape), x.stride()

    def owner():
        with _plain():
            storage = x.untyped_storage() if hasattr(x, "untyped_storage") else x.storage()
            n = storage.nbytes() if hasattr(storage, "nbytes") else len(storage) * storage.element_size()
            return storage.data_ptr(), n, False

    return Tensor(x, address, name, size, shape, strides, True, owner)


class _Nothing:
    def __enter__(self):
        pass

    def __exit__(self, *error):
        pass


def _plain():
    """A context in which PyTorch calls nothing of ours."""
    c = sys.modules["torch"]._C
    return c.DisableTorchFunction() if hasattr(c, "DisableTorchFunction") else _Nothing()


def of_buffer(b):
    m = memoryview(b)
    name = BUFFERS.get(m.format)
    if name is None or not m.contiguous:
        raise TypeError("a buffer of format %r" % m.format)
    n = m.nbytes // m.itemsize
    if m.readonly:
        copy = (ctypes.c_char * m.nbytes).from_buffer_copy(m)
    else:
        copy = (ctypes.c_char * m.nbytes).from_buffer(m)
    t = Tensor(copy, ctypes.addressof(copy), name, m.itemsize, (n,), (1,), not m.readonly, _nobody)
    return t


def _nobody():
    return None


def of_virtual(v):
    return ["v", name_of(v.dtype), list(v.shape), list(v.stride())]


def of_reinterpreted(r):
    t = argument(r.base)
    name = name_of(r.dtype)
    if isinstance(t, Tensor):
        t.dtype = name
    else:
        t[1] = name
    return t


def _of_float(x):
    return ["f", x.hex()]


def _of_tuple(v):
    z = ["l"]
    for e in v:
        a = argument(e)
        if isinstance(a, Tensor):
            raise TypeError("a tensor in a tuple: pass it by itself")
        z.append(a)
    return z


def _same(x):
    return x


# What becomes of an argument, by its type; others are looked at once.
ARGUMENTS = {
    int: _same, bool: _same, str: _same, type(None): _same, float: _of_float, tuple: _of_tuple, list: _of_tuple,
    constexpr: lambda c: argument(c.value), dtype: lambda d: ["d", d.name], Virtual: of_virtual, Reinterpreted: of_reinterpreted,
    bytearray: of_buffer, Builtin: lambda b: ["b", b.__module__, b.__name__],
}


def argument(x):
    """An argument as JSON writes it, or a Tensor."""
    f = ARGUMENTS.get(type(x))
    if f is None:
        f = ARGUMENTS[type(x)] = _kind(x)
    return f(x)


def _kind(x):
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if torch and isinstance(x, torch.Tensor):
        return of_torch
    if torch and isinstance(x, torch.dtype):
        return lambda d: ["d", str(d)[6:]]
    if numpy and isinstance(x, numpy.ndarray):
        return of_numpy
    if numpy and isinstance(x, (numpy.generic,)):
        return lambda n: argument(n.item())
    if numpy and isinstance(x, numpy.dtype):
        return lambda d: ["d", name_of(d)]
    if isinstance(x, bool):
        return bool
    if isinstance(x, int):
        return int
    if isinstance(x, float):
        return lambda v: _of_float(float(v))
    if isinstance(x, str):
        return str
    if isinstance(x, (tuple, list)):
        return _of_tuple
    if hasattr(x, "__tiler__"):
        return lambda v: v.__tiler__()
    if hasattr(x, "data_ptr") and hasattr(x, "stride"):
        return _of_pointer
    if hasattr(x, "__index__"):
        return lambda v: v.__index__()
    if hasattr(x, "__array_interface__") and numpy:
        return lambda v: of_numpy(numpy.asarray(v))
    try:
        memoryview(x)
    except TypeError:
        raise TypeError("a kernel takes tensors, numbers, strings, dtypes, functions and None, not a %s" % type(x).__name__) from None
    return of_buffer


def _of_pointer(x):
    """Of an object that looks like a tensor."""
    name = name_of(x.dtype)
    size = dtype(name).itemsize
    return Tensor(x, x.data_ptr(), name, size, tuple(x.shape), tuple(x.stride()), True, _nobody)
