"""Triton's module, as tiler gives it to scripts: kernels are read from their text and run by tiler.

Scripts need no GPU: what they put on "cuda" is on the CPU. run them with tiler run or tiler check,
or let Python find this package: PYTHONPATH=$(tiler python-path) python3 script.py
"""
from . import language
from ._kernel import Autotuner, Compiled, Config, Heuristics, JITFunction, autotune, constexpr_function, heuristics, jit
from ._link import CheckError, CompilationError, TilerError
from ._tensor import Reinterpreted as TensorWrapper
from ._tensor import virtual
from .language import cdiv, next_power_of_2
from . import _parts, _torch

__version__ = "3.6.0"

KernelInterface = JITFunction.__mro__[1]
TritonError = TilerError
OutOfResources = _parts.OutOfResources
MockTensor = Compiled
runtime, compiler, testing, tools = _parts.runtime, _parts.compiler, _parts.testing, _parts.tools

_torch.install()


def reinterpret(tensor, dtype):
    """A tensor whose bits are read as another dtype."""
    return TensorWrapper(tensor.base if isinstance(tensor, TensorWrapper) else tensor, dtype)


def set_allocator(allocator):
    """Descriptors need no memory of their own here."""


def __getattr__(name):
    raise AttributeError("triton.%s: tiler's triton does not have it" % name)
