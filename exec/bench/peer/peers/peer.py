"""A library of Python's world as a peer of tiler's benchmarks.

usage: peer.py openblas|numpy|torch|numba

The first line on standard output is "ready VERSION". After that every line on standard input is
answered by one line:

    make ID OP KEY=VALUE...       ok              inputs made by formula, run once
    run ID WARM N                 ok SECONDS      N runs, after WARM that are not timed
    get ID START STEP COUNT       ok V V V...     elements of the result
    drop ID                       ok

or by "error TEXT". How many threads are used is set by environment variables before the start.
"""
import ctypes
import glob
import math
import os
import signal
import sys
import time

signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its peers itself
import numpy as np

THREADS = int(os.environ.get("OMP_NUM_THREADS", "1"))


def mix(n, seed):
    """The random bits of n elements, a million at a time."""
    for start in range(0, n, 1 << 20):
        h = np.arange(start, min(n, start + (1 << 20)), dtype=np.uint32)
        h *= np.uint32(2654435761)
        h += np.uint32(seed * 0x9E3779B9 & 0xFFFFFFFF)
        h ^= h >> np.uint32(16)
        h *= np.uint32(0x45D9F3B)
        h ^= h >> np.uint32(16)
        yield start, h


def fine(shape, seed, scale=1.0):
    """float32 in [-0.5, 0.5) times scale, 24 bits each."""
    out = np.empty(int(np.prod(shape)), np.float32)
    for start, h in mix(out.size, seed):
        v = (h >> np.uint32(8)).astype(np.float32)
        v *= np.float32(2.0**-24)
        v -= np.float32(0.5)
        out[start : start + v.size] = v * np.float32(scale)
    return out.reshape(shape)


def coarse(shape, seed):
    """float32 in [-0.5, 0.5) of 8 bits each: exact in every float type."""
    out = np.empty(int(np.prod(shape)), np.float32)
    for start, h in mix(out.size, seed):
        v = (h >> np.uint32(24)).astype(np.float32)
        out[start : start + v.size] = (v - np.float32(128)) / np.float32(256)
    return out.reshape(shape)


def whole(shape, seed):
    """int8."""
    out = np.empty(int(np.prod(shape)), np.int8)
    for start, h in mix(out.size, seed):
        out[start : start + h.size] = (h >> np.uint32(24)).astype(np.uint8).view(np.int8)
    return out.reshape(shape)


def ids(n, limit, seed):
    """int32 in 0 ... limit-1."""
    out = np.empty(n, np.int32)
    for start, h in mix(n, seed):
        out[start : start + h.size] = (h.astype(np.uint64) * np.uint64(limit) >> np.uint64(32)).astype(np.int32)
    return out


class Task:
    """One make: call runs it, result is what it writes."""

    def __init__(self, call, result):
        self.call, self.result = call, result

    def values(self, start, step, count):
        r = self.result() if callable(self.result) else self.result
        r = r.reshape(-1)[start : start + step * count : step]
        return [float(v) for v in r[:count]]


def rows_cols(a):
    return int(a["rows"]), int(a["cols"])


# OpenBLAS, by ctypes: the system's, or the one that NumPy brings, whose names have
# something before and after them and whose integers are of 64 bits then.


class OpenBLAS:
    def __init__(self):
        self.find()
        self.name("openblas_get_corename").restype = ctypes.c_char_p
        self.name("openblas_get_config").restype = ctypes.c_char_p
        core = self.name("openblas_get_corename")().decode()
        want = os.environ.get("OPENBLAS_CORETYPE", core)
        if core.lower() != want.lower():
            sys.exit("OpenBLAS runs its kernels for %s although %s was asked for" % (core, want))
        threads = self.name("openblas_get_num_threads")()
        if threads != THREADS:
            sys.exit("OpenBLAS has %d threads, want %d" % (threads, THREADS))
        words = self.name("openblas_get_config")().decode().split()
        self.version = "%s, kernels for %s" % (" ".join(words[:2]), core)

    def find(self):
        beside = os.path.join(os.path.dirname(np.__path__[0]), "numpy.libs", "*openblas*")
        for path in ["libopenblas.so.0", "libopenblas.so"] + glob.glob(beside):
            try:
                self.lib = ctypes.CDLL(path)
            except OSError:
                continue
            for self.before in ("", "scipy_"):
                for self.after in ("", "64_"):
                    if hasattr(self.lib, self.before + "cblas_sgemm" + self.after):
                        return
        sys.exit("there is no libopenblas.so.0")

    def name(self, name):
        return getattr(self.lib, self.before + name + self.after)

    def gemm(self, a):
        m, n, k = int(a["m"]), int(a["n"]), int(a["k"])
        make = coarse if a.get("values") == "coarse" else fine
        x, y, out = make((m, k), 1), make((k, n), 2), np.zeros((m, n), np.float32)
        p = [z.ctypes.data_as(ctypes.c_void_p) for z in (x, y, out)]
        i = ctypes.c_int64 if self.after else ctypes.c_int
        e, f, sgemm = ctypes.c_int, ctypes.c_float, self.name("cblas_sgemm")
        args = (e(101), e(111), e(111), i(m), i(n), i(k), f(1), p[0], i(k), p[1], i(n), f(0), p[2], i(n))
        keep = (x, y)
        return Task(lambda keep=keep: sgemm(*args), out)


# NumPy.


class NumPy:
    def __init__(self):
        self.version = np.__version__

    def gemm(self, a):
        m, n, k = int(a["m"]), int(a["n"]), int(a["k"])
        make = coarse if a.get("values") == "coarse" else fine
        x, y, out = make((m, k), 1), make((k, n), 2), np.empty((m, n), np.float32)
        return Task(lambda: np.matmul(x, y, out=out), out)

    def add(self, a):
        n = int(a["n"])
        x, y, out = fine(n, 1), fine(n, 2), np.zeros(n, np.float32)
        return Task(lambda: np.add(x, y, out=out), out)

    def softmax(self, a):
        x = fine(rows_cols(a), 1, 8)
        out = np.empty_like(x)

        def call():
            np.subtract(x, x.max(1, keepdims=True), out=out)
            np.exp(out, out=out)
            np.divide(out, out.sum(1, keepdims=True), out=out)

        return Task(call, out)

    def layernorm(self, a):
        x = fine(rows_cols(a), 1, 8)
        w, b = fine(x.shape[1], 2), fine(x.shape[1], 3)
        out, square = np.empty_like(x), np.empty_like(x)

        def call():
            np.subtract(x, x.mean(1, keepdims=True), out=out)
            np.multiply(out, out, out=square)
            np.divide(out, np.sqrt(square.mean(1, keepdims=True) + np.float32(1e-5)), out=out)
            np.multiply(out, w, out=out)
            np.add(out, b, out=out)

        return Task(call, out)


# PyTorch.


class Torch:
    def __init__(self):
        import torch

        self.t = torch
        torch.set_num_threads(THREADS)
        torch.set_grad_enabled(False)
        self.version = torch.__version__

    def tensor(self, x, dtype="f32"):
        return self.t.from_numpy(x).to({"f32": self.t.float32, "f16": self.t.float16, "bf16": self.t.bfloat16}[dtype])

    def gemm(self, a):
        m, n, k = int(a["m"]), int(a["n"]), int(a["k"])
        make = coarse if a.get("values") == "coarse" else fine
        d = a.get("dtype", "f32")
        if d == "int8":
            return self.gemm8(m, n, k)
        x, y = self.tensor(make((m, k), 1), d), self.tensor(make((k, n), 2), d)
        out = self.t.zeros(m, n, dtype=x.dtype)
        return Task(lambda: self.t.mm(x, y, out=out), out)

    def gemm8(self, m, n, k):
        x, y = (self.t.from_numpy(whole(shape, seed)) for shape, seed in (((m, k), 1), ((k, n), 2)))
        out = self.t.zeros(m, n, dtype=self.t.int32)
        return Task(lambda: self.t._int_mm(x, y, out=out), out)

    def add(self, a):
        n = int(a["n"])
        x, y = self.tensor(fine(n, 1)), self.tensor(fine(n, 2))
        out = self.t.zeros(n)
        return Task(lambda: self.t.add(x, y, out=out), out)

    def softmax(self, a):
        x = self.tensor(fine(rows_cols(a), 1, 8))
        return Task(lambda: self.t.softmax(x, 1), lambda: self.t.softmax(x, 1))

    def layernorm(self, a):
        rows, cols = rows_cols(a)
        x, w, b = self.tensor(fine((rows, cols), 1, 8)), self.tensor(fine(cols, 2)), self.tensor(fine(cols, 3))
        f = self.t.nn.functional.layer_norm
        return Task(lambda: f(x, (cols,), w, b), lambda: f(x, (cols,), w, b))

    def embedding(self, a):
        vocabulary, n, cols = int(a["vocabulary"]), int(a["n"]), int(a["cols"])
        table, i = self.tensor(fine((vocabulary, cols), 1)), self.t.from_numpy(ids(n, vocabulary, 2))
        out = self.t.zeros(n, cols)
        return Task(lambda: self.t.index_select(table, 0, i, out=out), out)

    def take(self, a):
        size, n = int(a["size"]), int(a["n"])
        x, i = self.tensor(fine(size, 1)), self.t.from_numpy(ids(n, size, 2))
        out = self.t.zeros(n)
        return Task(lambda: self.t.index_select(x, 0, i, out=out), out)

    def sort(self, a):
        x = self.tensor(fine(rows_cols(a), 1))
        return Task(lambda: self.t.sort(x, 1), lambda: self.t.sort(x, 1)[0])

    def argsort(self, a):
        x = self.tensor(fine(rows_cols(a), 1))
        return Task(lambda: self.t.sort(x, dim=1, stable=True), lambda: self.t.sort(x, dim=1, stable=True)[1])

    def topk(self, a):
        x, k = self.tensor(fine(rows_cols(a), 1)), int(a["k"])
        return Task(lambda: self.t.topk(x, k, 1), lambda: self.t.topk(x, k, 1)[1])

    def bincount(self, a):
        n, bins = int(a["n"]), int(a["bins"])
        i = self.t.from_numpy(ids(n, bins, 1))
        return Task(lambda: self.t.bincount(i, minlength=bins), lambda: self.t.bincount(i, minlength=bins))

    def conv2d(self, a):
        c, h, w, f, r, stride, pad = (int(a[k]) for k in ("c", "h", "w", "f", "r", "stride", "pad"))
        x, weights = self.tensor(fine((1, c, h, w), 1)), self.tensor(fine((f, c, r, r), 2))
        conv = self.t.nn.functional.conv2d
        return Task(lambda: conv(x, weights, stride=stride, padding=pad), lambda: conv(x, weights, stride=stride, padding=pad))

    def attention(self, a):
        shape = int(a["heads"]), int(a["n"]), int(a["head"])
        q, k, v = (self.tensor(fine(shape, s, 4)) for s in (1, 2, 3))
        scale = 1 / math.sqrt(shape[2])

        def attend():
            return self.t.matmul(self.t.softmax(self.t.matmul(q, k.transpose(1, 2)) * scale, -1), v)

        return Task(attend, attend)


# Numba.


class Numba:
    def __init__(self):
        import numba

        numba.set_num_threads(THREADS)
        self.n = numba
        self.version = numba.__version__

    def jit(self, f):
        return self.n.njit(parallel=THREADS > 1, fastmath=True)(f)

    def add(self, a):
        n = int(a["n"])
        x, y, out = fine(n, 1), fine(n, 2), np.zeros(n, np.float32)
        prange = self.n.prange

        def vadd(x, y, out):
            for i in prange(x.size):
                out[i] = x[i] + y[i]

        f = self.jit(vadd)
        return Task(lambda: f(x, y, out), out)

    def softmax(self, a):
        x = fine(rows_cols(a), 1, 8)
        out = np.empty_like(x)
        prange = self.n.prange

        def rows(x, out):
            for r in prange(x.shape[0]):
                top = x[r, 0]
                for j in range(x.shape[1]):
                    top = max(top, x[r, j])
                total = np.float32(0)
                for j in range(x.shape[1]):
                    e = math.exp(x[r, j] - top)
                    out[r, j] = e
                    total += e
                total = np.float32(1) / total
                for j in range(x.shape[1]):
                    out[r, j] *= total

        f = self.jit(rows)
        return Task(lambda: f(x, out), out)


KINDS = {"openblas": OpenBLAS, "numpy": NumPy, "torch": Torch, "numba": Numba}


class Server:
    def __init__(self, peer):
        self.peer, self.tasks = peer, {}

    def make(self, name, op, *pairs):
        build = getattr(self.peer, op, None)
        if build is None:
            raise ValueError("no op " + op)
        task = build(dict(p.split("=", 1) for p in pairs))
        task.call()
        self.tasks[name] = task
        return ""

    def run(self, name, warm, n):
        call = self.tasks[name].call
        for _ in range(int(warm)):
            call()
        laps = range(int(n))
        start = time.perf_counter()
        for _ in laps:
            call()
        return "%.9f" % (time.perf_counter() - start)

    def get(self, name, start, step, count):
        return " ".join("%.9g" % v for v in self.tasks[name].values(int(start), int(step), int(count)))

    def drop(self, name):
        self.tasks.pop(name, None)
        return ""

    def answer(self, line):
        verb, *rest = line.split()
        if verb not in ("make", "run", "get", "drop"):
            return "error no verb " + verb
        try:
            return ("ok " + getattr(self, verb)(*rest)).rstrip()
        except Exception as e:
            return "error %s: %s" % (type(e).__name__, " ".join(str(e).split()))


def main():
    peer = KINDS[sys.argv[1]]()
    server = Server(peer)
    print("ready", peer.version, flush=True)
    for line in sys.stdin:
        print(server.answer(line), flush=True)


if __name__ == "__main__":
    main()
