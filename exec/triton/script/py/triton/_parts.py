"""The modules below triton that host code imports: runtime, compiler, tools and their parts."""
import os
import sys
import types

from . import _kernel, _link, _tensor, language, testing


class OutOfResources(_link.TilerError):
    """A GPU's limit, which no kernel here meets."""


class GPUTarget:
    """What scripts take a machine for: a GPU that they know, though the CPU does the work."""

    def __init__(self, backend="cuda", arch=80, warp_size=32):
        self.backend, self.arch, self.warp_size = backend, arch, warp_size


class Utils:
    """Questions about a device."""

    def get_device_properties(self, device=None):
        return {"multiprocessor_count": os.cpu_count() or 1, "max_num_regs": 65536, "max_shared_mem": 1 << 20, "warpSize": 32,
                "sm_clock_rate": 1_000_000, "mem_clock_rate": 1_000_000, "mem_bus_width": 64}


class Driver:
    """The only device."""

    utils = Utils()

    def get_current_target(self):
        return GPUTarget()

    def get_active_torch_device(self):
        return sys.modules["torch"].device("cpu") if "torch" in sys.modules else __import__("torch").device("cpu")

    def get_current_device(self):
        return 0

    def set_current_device(self, device):
        pass

    def get_current_stream(self, device=None):
        return 0

    def get_device_capability(self, device=0):
        return 8, 0

    def get_device_interface(self):
        return sys.modules["torch"].cuda

    def get_benchmarker(self):
        return testing.do_bench

    def get_empty_cache_for_benchmark(self):
        return types.SimpleNamespace(zero_=lambda: None)


def _module(name, **members):
    m = types.ModuleType("triton." + name)
    m.__path__ = []
    m.__dict__.update(members)
    sys.modules[m.__name__] = m
    parent, _, leaf = m.__name__.rpartition(".")
    if parent != "triton":
        setattr(sys.modules[parent], leaf, m)
    return m


_active = Driver()
_driver = types.SimpleNamespace(active=_active)
_jit = dict(JITFunction=_kernel.JITFunction, KernelInterface=_kernel.Runnable, jit=_kernel.jit, TensorWrapper=_tensor.Reinterpreted,
            reinterpret=_tensor.Reinterpreted)
_auto = dict(Autotuner=_kernel.Autotuner, Heuristics=_kernel.Heuristics, Config=_kernel.Config, autotune=_kernel.autotune, heuristics=_kernel.heuristics)
_errors = dict(CompilationError=_link.CompilationError, OutOfResources=OutOfResources, TritonError=_link.TilerError)

runtime = _module("runtime", driver=_driver, OutOfResources=OutOfResources, **_jit, **_auto)
_module("runtime.jit", **_jit)
_module("runtime.autotuner", OutOfResources=OutOfResources, **_auto)
_module("runtime.driver", active=_active)
runtime.driver = sys.modules["triton.runtime.driver"]
_module("runtime.errors", **_errors)
_module("runtime.cache")
_module("runtime.build")
compiler = _module("compiler", CompiledKernel=_kernel.Compiled, **_errors)
_module("compiler.compiler", CompiledKernel=_kernel.Compiled)
_module("compiler.errors", **_errors)
_module("errors", **_errors)
tools = _module("tools")
_module("tools.tensor_descriptor", TensorDescriptor=_tensor.Descriptor)
_module("tools.experimental_descriptor", TmaDescKernelParam=_tensor.Descriptor)
_module("backends")
_module("backends.compiler", GPUTarget=GPUTarget)
_module("ops")
_module("ops.matmul_perf_model", early_config_prune=lambda configs, *named, **more: configs, estimate_matmul_time=lambda **named: 1.0)
language.target_info = types.SimpleNamespace(current_target=GPUTarget)
