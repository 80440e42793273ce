"""triton.testing: timing of functions, and comparing of results."""
import statistics
import time

from . import _link


def do_bench(fn, warmup=25, rep=100, grad_to_none=None, quantiles=None, return_mode="mean", **options):
    """How long fn takes, in milliseconds. In tiler check it is called once."""
    def once():
        for x in grad_to_none or ():
            x.grad = None
        start = time.perf_counter()
        fn()
        return (time.perf_counter() - start) * 1e3

    first = once()
    times = [first]
    if not _link.CHECKING:
        times = [once()]
        for _ in range(max(0, min(1000, int(warmup / max(times[0], 1e-3))))):
            once()
        times = [once() for _ in range(max(1, min(10000, int(rep / max(times[0], 1e-3)))))]
    if quantiles is not None:
        times.sort()
        z = [times[min(len(times) - 1, int(q * len(times)))] for q in quantiles]
        return z[0] if len(z) == 1 else z
    if return_mode == "all":
        return times
    return {"mean": statistics.fmean, "min": min, "max": max, "median": statistics.median}[return_mode](times)


def do_bench_cudagraph(fn, rep=20, grad_to_none=None, quantiles=None, return_mode="mean"):
    return do_bench(fn, rep=rep, grad_to_none=grad_to_none, quantiles=quantiles, return_mode=return_mode)


def assert_close(x, y, atol=None, rtol=None, err_msg=""):
    """Fails where two arrays or tensors are further apart than the tolerances."""
    import numpy

    def host(v):
        if hasattr(v, "detach"):
            v = v.detach().cpu()
            v = (v.float() if str(v.dtype) in ("torch.bfloat16", "torch.float16") else v).numpy()
        return numpy.asarray(v)

    numpy.testing.assert_allclose(host(x), host(y), atol=1e-2 if atol is None else atol, rtol=0 if rtol is None else rtol, err_msg=err_msg, equal_nan=True)


class Benchmark:
    """What perf_report measures: a table of x values and lines."""

    def __init__(self, x_names, x_vals, line_arg, line_vals, line_names, plot_name, args, xlabel="", ylabel="", x_log=False, y_log=False,
                 styles=None, color=None):
        self.x_names, self.x_vals, self.line_arg, self.line_vals, self.line_names = x_names, x_vals, line_arg, line_vals, line_names
        self.plot_name, self.args = plot_name, args


class Mark:
    """A function that is measured for each x value and line."""

    def __init__(self, fn, benchmarks):
        self.fn, self.benchmarks = fn, benchmarks

    def run(self, show_plots=False, print_data=False, save_path="", return_df=False, **kwargs):
        many = isinstance(self.benchmarks, (list, tuple))
        results = [self._table(b, print_data, kwargs) for b in (self.benchmarks if many else [self.benchmarks])]
        if return_df:
            return results if many else results[0]
        return None

    def _table(self, b, print_data, kwargs):
        rows = []
        for x in b.x_vals:
            xs = list(x) if isinstance(x, (list, tuple)) else [x] * len(b.x_names)
            ys = [self.fn(**dict(zip(b.x_names, xs)), **{b.line_arg: line}, **b.args, **kwargs) for line in b.line_vals]
            rows.append(xs[:1] + [y[0] if isinstance(y, (list, tuple)) else y for y in ys])
        if print_data:
            print(b.plot_name + ":")
            print("  ".join("%14s" % n for n in [b.x_names[0]] + list(b.line_names)))
            for row in rows:
                print("  ".join("%14.6g" % v for v in row))
        return rows


def perf_report(benchmarks):
    return lambda fn: Mark(fn, benchmarks)
