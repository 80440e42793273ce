"""triton.language, as far as it means something outside of kernels: dtypes, constexpr, cdiv.

What kernels call is read from their text. Here it has a name, and refuses to be called.
"""
import sys
import types


class constexpr:
    """A value that is known when a kernel is compiled."""

    def __init__(self, value):
        self.value = value.value if isinstance(value, constexpr) else value

    def __class_getitem__(cls, of):
        return cls

    def __repr__(self):
        return "constexpr[%r]" % (self.value,)

    def __hash__(self):
        return hash(self.value)

    def __bool__(self):
        return bool(self.value)

    def __index__(self):
        return self.value.__index__()

    def __int__(self):
        return int(self.value)

    def __float__(self):
        return float(self.value)

    def __call__(self, *args, **kwargs):
        return self.value(*args, **kwargs)


def _operator(name):
    def method(self, *others):
        others = [o.value if isinstance(o, constexpr) else o for o in others]
        return constexpr(getattr(self.value, name)(*others))

    return method


for _name in ("add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow lshift rlshift rshift rrshift and rand or ror "
              "xor rxor neg pos invert eq ne lt le gt ge").split():
    setattr(constexpr, "__%s__" % _name, _operator("__%s__" % _name))

# A dtype's name, its short name, its bits, its kind, and what PyTorch calls it.
_TYPES = [
    ("int1", "int1", 1, "bool", "bool"), ("int8", "int8", 8, "int", "int8"), ("int16", "int16", 16, "int", "int16"),
    ("int32", "int32", 32, "int", "int32"), ("int64", "int64", 64, "int", "int64"), ("uint8", "uint8", 8, "uint", "uint8"),
    ("uint16", "uint16", 16, "uint", "uint16"), ("uint32", "uint32", 32, "uint", "uint32"), ("uint64", "uint64", 64, "uint", "uint64"),
    ("float8e5", "fp8e5", 8, "float", "float8_e5m2"), ("float8e4nv", "fp8e4nv", 8, "float", "float8_e4m3fn"),
    ("float8e4b15", "fp8e4b15", 8, "float", ""), ("float8e4b8", "fp8e4b8", 8, "float", "float8_e4m3fnuz"),
    ("float8e5b16", "fp8e5b16", 8, "float", "float8_e5m2fnuz"), ("float16", "fp16", 16, "float", "float16"),
    ("bfloat16", "bf16", 16, "float", "bfloat16"), ("float32", "fp32", 32, "float", "float32"), ("float64", "fp64", 64, "float", "float64"),
    ("void", "void", 0, "void", ""),
]
_rows = {}
for _row in _TYPES:
    for _name in (_row[0], _row[1], _row[4]):
        if _name:
            _rows.setdefault(_name, _row)


class dtype:
    """A dtype of elements."""

    def __init__(self, name):
        row = _rows.get(name)
        if row is None:
            raise ValueError("no dtype %s" % (name,))
        self._long, self.short, self.primitive_bitwidth, self.kind, _ = row
        self.name = self._long if self.short.startswith("int") or self.kind == "uint" else self.short

    scalar = property(lambda self: self)
    itemsize = property(lambda self: max(self.primitive_bitwidth, 8) // 8)
    int_bitwidth = property(lambda self: self.primitive_bitwidth)

    def is_floating(self):
        return self.kind == "float"

    def is_int(self):
        return self.kind in ("int", "uint", "bool")

    def is_int_signed(self):
        return self.kind == "int"

    def is_int_unsigned(self):
        return self.kind == "uint"

    def is_bool(self):
        return self.kind == "bool"

    def is_ptr(self):
        return False

    def is_block(self):
        return False

    def is_fp8(self):
        return self.kind == "float" and self.primitive_bitwidth == 8

    def is_standard_floating(self):
        return self.short in ("fp16", "bf16", "fp32", "fp64")

    def __getattr__(self, name):
        if name.startswith("is_") and name[3:] in _rows:
            row = _rows[name[3:]]
            return lambda: row[0] == self._long
        raise AttributeError(name)

    def __eq__(self, other):
        return isinstance(other, dtype) and self._long == other._long

    def __hash__(self):
        return hash(self._long)

    def __repr__(self):
        return "triton.language." + self._long

    def __str__(self):
        return self.name


for _row in _TYPES:
    globals()[_row[0]] = dtype(_row[0])


class Builtin:
    """A function of the language: kernels call it, the host cannot."""

    def __init__(self, module, name):
        self.__module__, self.__name__, self.__qualname__ = module, name, name

    def __call__(self, *args, **kwargs):
        if len(args) == 1 and not kwargs and isinstance(args[0], types.FunctionType):
            return args[0]  # as a decorator of something that only a compiler reads
        raise RuntimeError("%s.%s runs in kernels only: call it in a function that @triton.jit decorates" % (self.__module__, self.__name__))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Builtin(self.__module__ + "." + self.__name__, name)

    def __repr__(self):
        return "<%s.%s of a kernel>" % (self.__module__, self.__name__)

    def __mro_entries__(self, bases):
        return (object,)


class Module(types.ModuleType):
    """A module of the language whose members are Builtins."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Builtin(self.__name__, name)


def cdiv(x, div):
    return -(-x // div)


def next_power_of_2(n):
    return 1 << max(0, int(n) - 1).bit_length()


class tensor:
    """The type of values in a kernel."""


class pointer_type:
    def __init__(self, element_ty, address_space=1):
        self.element_ty = element_ty


def _module(name, **members):
    m = Module(__name__ + "." + name)
    m.__path__ = []
    m.__dict__.update(members)
    sys.modules[m.__name__] = m
    parent, _, leaf = m.__name__.rpartition(".")
    setattr(sys.modules[parent], leaf, m)
    return m


_shared = dict(constexpr=constexpr, dtype=dtype, cdiv=cdiv, tensor=tensor, pointer_type=pointer_type)
_shared.update((r[0], globals()[r[0]]) for r in _TYPES)
for _name in ("math", "extra", "extra.libdevice", "extra.cuda", "extra.cuda.libdevice", "extra.hip", "extra.hip.libdevice", "libdevice", "random"):
    _module(_name)
for _name in ("core", "standard", "semantic"):
    _module(_name, **_shared)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return Builtin(__name__, name)
