"""PyTorch without a GPU: what scripts put on "cuda" is on the CPU."""
import importlib.abc
import importlib.util
import sys
import types

GPUS = ("cuda", "hip", "xpu", "npu", "musa")


def install():
    """Prepares PyTorch, now or when it is imported."""
    if "torch" in sys.modules:
        prepare(sys.modules["torch"])
    else:
        sys.meta_path.insert(0, Finder())


class Finder(importlib.abc.MetaPathFinder):
    """Prepares PyTorch after its import."""

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def exec_module(module):
                load(module)
                prepare(module)

            spec.loader.exec_module = exec_module
        return spec


class Properties(types.SimpleNamespace):
    """A device's properties."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return 65536


def here(torch):
    """A function that makes a GPU's device the CPU; all else stays as it is."""
    cpu = torch.device("cpu")

    def on_cpu(d):
        if type(d) is str:
            return cpu if d.split(":")[0] in GPUS else d
        if type(d) is torch.device:
            return cpu if d.type in GPUS else d
        return d

    return on_cpu


def prepare(torch):
    """Has every function of PyTorch take a GPU's device for the CPU."""
    if torch.cuda.is_available() or not hasattr(torch, "overrides"):
        return
    on_cpu = here(torch)
    try:
        from torch.overrides import TorchFunctionMode
    except ImportError:
        TorchFunctionMode = None

    # Factories and conversions that take a device are found by the argument, not by a list of them.
    if TorchFunctionMode is not None:
        class OnCPU(TorchFunctionMode):
            def __torch_function__(self, func, kinds, args=(), kwargs=None):
                kwargs = kwargs or {}
                if "device" in kwargs:
                    d = kwargs["device"]
                    kwargs = {**kwargs, "device": on_cpu(d) if type(d) is not int else "cpu"}
                for a in args:
                    if type(a) is str or type(a) is torch.device:
                        args = [on_cpu(a) for a in args]
                        break
                try:
                    return func(*args, **kwargs)
                except RuntimeError as e:
                    if "not implemented for 'Half'" not in str(e):
                        raise
                return in_float32(torch, func, args, kwargs)

        mode = OnCPU()
        mode.__enter__()
        torch.tiler_mode = mode  # it stays for as long as the process

    tensor, module, cuda = torch.Tensor, torch.nn.Module, torch.cuda
    tensor.cuda = lambda self, *args, **options: self
    tensor.is_cuda = property(lambda self: True)
    tensor.get_device = lambda self: 0
    tensor.pin_memory = lambda self, *args: self
    tensor.record_stream = lambda self, stream: None
    module.cuda = lambda self, *args, **options: self
    to = module.to

    def module_to(self, *args, **options):
        if "device" in options:
            options["device"] = on_cpu(options["device"])
        return to(self, *[on_cpu(a) for a in args], **options)

    module.to = module_to
    load = torch.load
    torch.load = lambda f, map_location=None, *args, **options: load(f, on_cpu(map_location) or "cpu", *args, **options)
    generator = torch.Generator

    def new_generator(device="cpu"):
        return generator(on_cpu(device))

    torch.Generator = new_generator
    prepare_cuda(torch, cuda)


def in_float32(torch, func, args, kwargs):
    """An operation on halves that only GPUs have: in float32, and rounded then."""
    def widened(v):
        if isinstance(v, torch.Tensor):
            return v.float() if v.dtype is torch.float16 else v
        return type(v)(widened(e) for e in v) if type(v) in (list, tuple) else v

    def rounded(v):
        if isinstance(v, torch.Tensor):
            return v.half() if v.dtype is torch.float32 else v
        return type(v)(rounded(e) for e in v) if type(v) in (list, tuple) else v

    out = kwargs.get("out")
    z = rounded(func(*widened(list(args)), **{k: widened(v) for k, v in kwargs.items() if k != "out"}))
    return z if out is None else out.copy_(z)


class Nothing:
    """A stream, an event, a device: something with nothing to do."""

    cuda_stream = 0

    def __init__(self, *args, **options):
        self.time = None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def __call__(self, fn):
        return fn

    def record(self, *args):
        import time
        self.time = time.perf_counter()

    def elapsed_time(self, other):
        return (other.time - self.time) * 1e3

    def query(self):
        return True

    def synchronize(self, *args):
        pass

    wait = wait_event = wait_stream = synchronize


class Philox:
    """A GPU's generator as scripts read it: a seed and an offset, 16 bytes."""

    def __init__(self, torch):
        self.state = torch.zeros(2, dtype=torch.int64)

    def get_state(self):
        return self.state.clone().view(dtype=self.bytes)

    def set_state(self, state):
        self.state = state.clone().view(dtype=self.state.dtype)

    def manual_seed(self, seed):
        self.state[0], self.state[1] = int(seed), 0
        return self

    def initial_seed(self):
        return int(self.state[0])

    seed = initial_seed


def prepare_cuda(torch, cuda):
    """Answers what scripts ask of torch.cuda, and has what they tell it do nothing."""
    import os
    properties = Properties(name="CPU", major=8, minor=0, multi_processor_count=os.cpu_count() or 1, total_memory=1 << 34, warp_size=32,
                            shared_memory_per_block=1 << 16, gcnArchName="", max_threads_per_multi_processor=2048)
    answers = {
        "is_available": True, "is_initialized": True, "current_device": 0, "device_count": 1, "get_device_capability": (8, 0),
        "get_device_name": "CPU", "get_device_properties": properties, "is_bf16_supported": True, "memory_allocated": 0,
        "max_memory_allocated": 0, "memory_reserved": 0, "max_memory_reserved": 0, "mem_get_info": (1 << 33, 1 << 34),
        "synchronize": None, "empty_cache": None, "set_device": None, "init": None, "reset_peak_memory_stats": None, "ipc_collect": None,
        "reset_max_memory_allocated": None, "current_stream": Nothing(), "default_stream": Nothing(), "get_arch_list": [], "memory_stats": {},
    }
    for name, answer in answers.items():
        setattr(cuda, name, lambda *args, _answer=answer, **options: _answer)

    Philox.bytes = torch.uint8
    philox = Philox(torch)
    cuda.default_generators = (philox,)

    def seed(n=0):
        torch.default_generator.manual_seed(int(n))
        philox.manual_seed(n)

    cuda.manual_seed = cuda.manual_seed_all = seed
    cuda.get_rng_state = lambda *args: torch.get_rng_state()
    cuda.set_rng_state = lambda state, *args: torch.set_rng_state(state)
    for name in ("device", "device_of", "stream", "Stream", "Event", "_DeviceGuard", "StreamContext"):
        setattr(cuda, name, Nothing)
    cuda.nvtx = types.SimpleNamespace(range_push=lambda *args: None, range_pop=lambda *args: None, range=Nothing, mark=lambda *args: None)
