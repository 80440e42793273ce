"""jit, autotune and heuristics."""
import functools
import inspect
import linecache
import sys
import types

from . import _link
from ._tensor import Described, Tensor, argument
from .language import Builtin, Module, constexpr, dtype

# Options of a launch: hints to a GPU's compiler, which change no result.
HINTS = frozenset(
    "num_warps num_stages num_ctas maxnreg enable_fp_fusion stream device device_type debug warmup launch_cooperative_grid launch_pdl extern_libs "
    "allow_fp8e4nv allow_fp8e4b15 allowed_dot_input_precisions default_dot_input_precision max_num_imprecise_acc_default cluster_dims "
    "sanitize_overflow num_buffers_warp_spec num_consumer_groups reg_dec_producer reg_inc_consumer waves_per_eu matrix_instr_nonkdim kpack "
    "ir_override arch backend_name instrumentation_mode enable_warp_specialization enable_persistent".split())

_missing = object()


class Param:
    """A parameter of a kernel."""

    def __init__(self, num, name, parameter, wide):
        self.num, self.name, self.do_not_specialize = num, name, wide
        self.annotation = "" if parameter.annotation is parameter.empty else str(getattr(parameter.annotation, "__name__", parameter.annotation))
        self.is_constexpr = "constexpr" in self.annotation
        self.has_default = parameter.default is not parameter.empty
        self.default = parameter.default


class Compiled:
    """What a launch returns: the questions that scripts ask of a GPU's code have an answer."""

    n_regs, n_spills, n_max_threads, num_warps, num_stages = 32, 0, 1024, 4, 1

    def __init__(self, kernel):
        self.name, self.kernel = kernel.__name__, kernel
        self.metadata = types.SimpleNamespace(shared=1024, num_warps=4, num_stages=1, num_ctas=1, name=self.name, target=None)
        self.shared, self.asm = 1024, {}

    def _init_handles(self):
        pass

    def __getitem__(self, grid):
        return self.kernel[grid]


class Runnable:
    """What kernel[grid](...) works for."""

    def __getitem__(self, grid):
        return functools.partial(self.run, grid=grid)

    def warmup(self, *args, grid=None, **kwargs):
        return Compiled(self)

    def __call__(self, *args, **kwargs):
        raise RuntimeError("%s is a kernel: launch it with a grid, as in %s[(n,)](...)" % (self.__name__, self.__name__))


class JITFunction(Runnable):
    """A function that is read as a kernel."""

    def __init__(self, fn, do_not_specialize=None, do_not_specialize_on_alignment=None, debug=None, noinline=None, repr=None,
                 launch_metadata=None, version=None):
        functools.update_wrapper(self, fn)
        self.fn, self.raw_src = fn, None
        self.signature = inspect.signature(fn)
        wide = do_not_specialize or ()
        self.params = [Param(i, n, p, n in wide or i in wide) for i, (n, p) in enumerate(self.signature.parameters.items())]
        self.arg_names = [p.name for p in self.params]
        self.constexprs = [p.num for p in self.params if p.is_constexpr]
        self.defaults = [p.default if p.has_default else _missing for p in self.params]
        self.places = {n: i for i, n in enumerate(self.arg_names)}
        self.id, self.link, self.compiled = None, None, Compiled(self)
        self.pre_run_hooks = []

    @property
    def src(self):
        return inspect.getsource(self.fn)

    def add_pre_run_hook(self, hook):
        self.pre_run_hooks.append(hook)

    def bind(self, args, kwargs):
        """The value of each parameter, and hints aside."""
        values = self.defaults.copy()
        if len(args) > len(values):
            raise TypeError("%s takes %d arguments, got %d" % (self.__name__, len(values), len(args)))
        values[:len(args)] = args
        for name, v in kwargs.items():
            i = self.places.get(name)
            if i is None:
                if name in HINTS:
                    continue
                raise TypeError("%s has no parameter %s" % (self.__name__, name))
            if i < len(args):
                raise TypeError("%s got two values for %s" % (self.__name__, name))
            values[i] = v
        lacks = [n for n, v in zip(self.arg_names, values) if v is _missing]
        if lacks:
            raise TypeError("%s: no argument for %s" % (self.__name__, ", ".join(lacks)))
        return values

    def run(self, *args, grid=None, warmup=False, **kwargs):
        if warmup:
            return self.compiled
        for hook in self.pre_run_hooks:
            hook(*args, **kwargs)
        try:
            text = self.ask(ord("L"), grid, self.bind(args, kwargs))
        except (TypeError, KeyboardInterrupt, _link.TilerError) as e:
            raise e.with_traceback(None) from None  # where it was found within is nothing to the script
        if text:
            sys.stdout.write(text)
            sys.stdout.flush()
        return self.compiled

    def ask(self, kind, grid, values):
        """Sends a launch."""
        if callable(grid):
            grid = grid(dict(zip(self.arg_names, values)))
        if type(grid) is not tuple:
            grid = (grid,) if hasattr(grid, "__index__") else tuple(grid) if grid is not None else ()
        if not 1 <= len(grid) <= 3:
            raise ValueError("a grid of 1 to 3 numbers, got %r" % (grid,))
        grid = [n.__index__() for n in grid]
        link = _link.link()
        if self.link is not link:
            self.register(link)
        tensors = {}
        sent = []
        for i, v in enumerate(values):
            try:
                a = argument(v)
            except TypeError as e:
                raise TypeError("%s: %s: %s" % (self.__name__, self.arg_names[i], e)) from None
            if type(a) is Tensor or type(a) is Described:
                tensors[i] = a
            sent.append(a)
        return link.launch(kind, self.id, grid, sent, tensors)

    def __tiler__(self):
        """It as an argument, or as what a name is."""
        link = _link.link()
        if self.link is not link:
            self.register(link)
        return ["k", self.id]

    def register(self, link):
        """Tells tiler of the function: its file, and what the names are that it uses."""
        with link.lock:
            if self.link is link:
                return
            self.id, link.ids = link.ids, link.ids + 1
            self.link = link  # before its names: they may lead back here
            code = self.fn.__code__
            lines = linecache.getlines(code.co_filename, self.fn.__globals__)
            if not lines:
                self.link = None
                raise _link.TilerError("the text of %s is not to be had: %s" % (self.__name__, code.co_filename))
            text = "".join(lines)
            message = {"id": self.id, "file": code.co_filename, "name": self.fn.__name__, "line": code.co_firstlineno, "names": self.names()}
            known = link.texts.setdefault(text, self.id)  # now: those that it calls are told of first
            if known == self.id:
                message["text"] = text
            else:
                message["like"] = known
            link.send(ord("K"), _link.encode(message).encode("utf-8", "surrogatepass"))

    def names(self):
        """What the names are that the function uses and does not bind: values that a kernel can use."""
        names = {}
        used = _used(self.fn.__code__, set())
        closure = dict(zip(self.fn.__code__.co_freevars, self.fn.__closure__ or ()))
        for name in sorted(used):
            try:
                v = closure[name].cell_contents if name in closure else self.fn.__globals__[name]
            except (KeyError, ValueError):
                continue
            e = _named(v, used)
            if e is not _missing:
                names[name] = e
        return names


def _used(code, names):
    names.update(code.co_names)
    names.update(code.co_freevars)
    for c in code.co_consts:
        if isinstance(c, types.CodeType):
            _used(c, names)
    return names


def _named(v, used, deep=True):
    """A value of the host as tiler knows it, _missing if the text must tell."""
    while isinstance(v, Wrapper):
        v = v.fn
    if isinstance(v, types.ModuleType):
        if v.__name__.split(".")[0] in ("triton", "math", "torch", "numpy"):
            return ["b", v.__name__, ""]
        if not deep:
            return _missing
        members = {n: _named(vars(v)[n], used, False) for n in used if n in vars(v)}
        return ["m", {n: e for n, e in members.items() if e is not _missing}]
    if isinstance(v, Builtin):
        return ["b", v.__module__, v.__name__]
    if isinstance(v, (bool, int, float, str, constexpr, dtype, JITFunction, type(None))) or type(v).__name__ == "dtype":
        try:
            return argument(v)
        except TypeError:
            return _missing
    if isinstance(v, (tuple, list)):
        parts = [_named(e, used, False) for e in v]
        return _missing if _missing in parts else ["l"] + parts
    return _missing


class Wrapper(Runnable):
    """A kernel with something to do before its launch."""

    def __init__(self, fn):
        functools.update_wrapper(self, fn, updated=())
        self.fn = fn

    @property
    def arg_names(self):
        return self.fn.arg_names

    def __getattr__(self, name):
        if name == "fn":
            raise AttributeError(name)
        return getattr(self.fn, name)

    def base(self):
        f = self.fn
        while isinstance(f, Wrapper):
            f = f.fn
        return f

    def given(self, args, kwargs):
        """The arguments by name, as far as they are given."""
        named = dict(zip(self.arg_names, args))
        named.update(kwargs)
        return named

    def ask(self, kind, grid, args, kwargs):
        """Sends a launch of the kernel with what this adds."""
        if isinstance(self.fn, Wrapper):
            return self.fn.ask(kind, grid, args, kwargs)
        return self.fn.ask(kind, grid, self.fn.bind(args, kwargs))


class Heuristics(Wrapper):
    """A kernel some of whose arguments are computed of others."""

    def __init__(self, fn, values):
        super().__init__(fn)
        self.values = values

    def more(self, args, kwargs):
        named = self.given(args, kwargs)
        for p in self.base().params:
            if p.has_default:
                named.setdefault(p.name, p.default)
        kwargs = dict(kwargs)
        for name, of in self.values.items():
            kwargs[name] = named[name] = of(named)
        return kwargs

    def run(self, *args, **kwargs):
        return self.fn.run(*args, **self.more(args, kwargs))

    def ask(self, kind, grid, args, kwargs):
        return super().ask(kind, grid, args, self.more(args, kwargs))


class Config:
    """Compile-time values that a kernel may be tuned with."""

    def __init__(self, kwargs, num_warps=4, num_stages=3, num_ctas=1, maxnreg=None, pre_hook=None, ir_override=None, **hints):
        self.kwargs = kwargs
        self.num_warps, self.num_stages, self.num_ctas, self.maxnreg, self.pre_hook = num_warps, num_stages, num_ctas, maxnreg, pre_hook
        self.hints = hints

    def all_kwargs(self):
        hints = {"num_warps": self.num_warps, "num_stages": self.num_stages, "num_ctas": self.num_ctas, "maxnreg": self.maxnreg}
        return {**self.kwargs, **{k: v for k, v in hints.items() if v is not None}}

    def __str__(self):
        return ", ".join("%s: %s" % i for i in self.all_kwargs().items())

    __repr__ = __str__


class Autotuner(Wrapper):
    """A kernel that is timed with each configuration, once for each key.

    What is timed works on copies, so that tuning leaves nothing behind, whatever the kernel does.
    """

    def __init__(self, fn, configs, key=(), prune_configs_by=None, **options):
        super().__init__(fn)
        self.configs, self.keys, self.cache = list(configs) or [Config({})], list(key or ()), {}
        self.best_config, self.prune = self.configs[0], prune_configs_by or {}
        self.timings = {}

    def key(self, named):
        values = tuple(repr(named.get(k)) for k in self.keys)
        return values + tuple(str(v.dtype) for v in named.values() if hasattr(v, "dtype"))

    def pruned(self, named, kwargs):
        configs = self.configs
        early = self.prune.get("early_config_prune")
        if early:
            configs = early(configs, named, **kwargs)
            if not configs:
                raise _link.TilerError("%s: early_config_prune leaves no configuration" % self.__name__)
        model, top = self.prune.get("perf_model"), self.prune.get("top_k", 1.0)
        if isinstance(top, float) and top <= 1:
            top = int(len(self.configs) * top)
        if model and len(configs) > top:
            costs = {c: model(**named, **kwargs, **c.all_kwargs()) for c in configs}
            configs = sorted(configs, key=costs.get)[:max(1, top)]
        different = {}  # hints make no difference
        for c in configs:
            different.setdefault(repr(sorted(c.kwargs.items(), key=str)), c)
        return list(different.values())

    def choose(self, args, kwargs):
        named = self.given(args, {k: v for k, v in kwargs.items() if k not in ("grid", "warmup")})
        key = self.key(named)
        best = self.cache.get(key)
        if best is None:
            configs = self.pruned(named, {k: v for k, v in kwargs.items() if k not in named and k not in ("grid", "warmup")})
            best = configs[0] if len(configs) == 1 or _link.CHECKING else self.fastest(configs, args, kwargs)
            self.cache[key] = best
        self.best_config = best
        return best

    def fastest(self, configs, args, kwargs):
        kwargs, grid = dict(kwargs), kwargs.get("grid")
        for name in ("grid", "warmup"):
            kwargs.pop(name, None)
        self.timings, failure = {}, None
        for c in configs:
            try:
                self.timings[c] = float(super().ask(ord("T"), grid, args, {**kwargs, **c.kwargs}))
            except _link.TilerError as e:
                failure = e
        if not self.timings:
            raise failure
        return min(self.timings, key=self.timings.get)

    def run(self, *args, **kwargs):
        best = self.choose(args, kwargs)
        if best.pre_hook:
            best.pre_hook({**self.given(args, {k: v for k, v in kwargs.items() if k not in ("grid", "warmup")}), **best.all_kwargs()})
        return self.fn.run(*args, **{**kwargs, **best.kwargs})

    def ask(self, kind, grid, args, kwargs):
        return super().ask(kind, grid, args, {**kwargs, **self.choose(args, {**kwargs, "grid": grid}).kwargs})


def jit(fn=None, **options):
    """Makes a function a kernel."""
    if fn is None:
        return functools.partial(jit, **options)
    if isinstance(fn, JITFunction):
        return fn
    known = inspect.signature(JITFunction.__init__).parameters
    return JITFunction(fn, **{k: v for k, v in options.items() if k in known})


def constexpr_function(fn):
    """A function of what is known before a kernel runs: kernels call it, and the host may."""
    @functools.wraps(fn)
    def call(*args, **kwargs):
        plain = lambda v: v.value if isinstance(v, constexpr) else v
        return plain(fn(*map(plain, args), **{k: plain(v) for k, v in kwargs.items()}))

    return call


def autotune(configs, key=(), prune_configs_by=None, reset_to_zero=None, restore_value=None, pre_hook=None, post_hook=None, warmup=None,
             rep=None, use_cuda_graph=False, do_bench=None, cache_results=False):
    """Has a kernel tuned. What reset_to_zero and restore_value name needs neither: see Autotuner."""
    return lambda fn: Autotuner(fn, configs, key, prune_configs_by)


def heuristics(values):
    """Has arguments computed."""
    return lambda fn: Heuristics(fn, values)


__all__ = ["JITFunction", "Autotuner", "Heuristics", "Config", "jit", "autotune", "heuristics", "constexpr_function", "Module", "Compiled"]
