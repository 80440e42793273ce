import triton
import triton.language as tl
from triton.language.extra import libdevice

HALF: tl.constexpr = 0.5


# Scales rows; what is a float32 in Triton stays one, whatever the tile is.
@triton.jit
def scaled(
    x_ptr,  # the rows
    out_ptr,  # where they go
    scale,
    cols,
    BLOCK: tl.constexpr,  # at least cols
):
    # One program for each row.
    row = tl.program_id(0)
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + offs, mask=offs < cols, other=0.0)  # the row
    y = x * scale + scale * 1.7
    y = y * HALF - row
    tl.store(out_ptr + row * cols + offs, y, mask=offs < cols)


@triton.jit
def gelu(x, APPROX: tl.constexpr):
    if APPROX:
        return 0.5 * x * (1 + libdevice.tanh(0.79788456 * (x + 0.044715 * x * x * x)))
    else:
        return 0.5 * x * (1 + libdevice.erf(x * 0.70710678))


@triton.jit
def minmax(x):
    return tl.min(x, axis=0), tl.max(x, axis=0)


@triton.jit
def pieces(x, out, n, ACT: tl.constexpr, BLOCK: tl.constexpr):
    """Calls, a variable that is a number here and a tile there, and conditions."""
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + offs, mask=offs < n, other=0.0)
    if ACT == "gelu":
        v = gelu(v, True)
    elif ACT == "erf":
        v = gelu(v, APPROX=False)
    lo, hi = minmax(v)
    count = 0
    if hi > lo:
        count += tl.sum((v > lo).to(tl.int32))
    total = 0.0
    for i in range(2, n, 3):
        total += i
    lo, hi = hi, lo
    w = lo if hi < lo else hi
    tl.store(out + offs, v * w + count + total / 2, mask=(offs < n) & (n > 0))


@triton.jit
def integers(x, out, n, shift, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    v = tl.load(x + offs)
    a = (v + n) % 7 - (n - v) // 3
    b = (v << 2) ^ (v >> 1) | (~v & 0xF)
    c = -v + tl.where(v > shift, v, shift) + tl.maximum(v, n) + min(n, shift) * max(n, 3)
    wide = offs.to(tl.int64) * n + n.to(tl.int64)
    tl.store(out + offs, a + b + c + wide)


@triton.jit
def order(x, out, N: tl.constexpr, K: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    m = tl.reshape(v, (N // K, K))
    s = tl.sum(m, axis=1, keep_dims=True) + tl.trans(tl.trans(m))
    j = tl.interleave(tl.ravel(s), tl.flip(tl.sort(v)))
    a, b = tl.split(tl.reshape(j, (N, 2)))
    c = tl.cumsum(a, axis=0) + tl.expand_dims(b, 0).reshape((N,))
    tl.store(out + tl.arange(0, N), c)
    tl.atomic_add(out + N, tl.argmax(c, axis=0).to(tl.float32))
    tl.store(out + N + 1, tl.rand(7, N))
    if v.dtype is tl.float32:
        tl.store(out + tl.arange(0, 4), tl.topk(v, 4))


@triton.jit
def rows_of(x, out, M, N: tl.constexpr, TYPE: tl.constexpr, BM: tl.constexpr):
    """A loop that works in place on its argument, with pointers that move."""
    x += tl.program_id(0) * BM * N
    out += tl.program_id(0) * BM * N
    rows = tl.arange(0, BM)
    cols = tl.arange(0, N)
    acc = tl.zeros((BM, N), dtype=TYPE)
    i = 0
    while i < M:
        acc += tl.load(x + rows[:, None] * N + cols[None, :]).to(TYPE)
        i += 1
    mean = tl.sum(acc, 1) / N
    var = tl.sum((acc - mean[:, None]) * (acc - mean[:, None]), axis=1) / N
    tl.store(out + rows[:, None] * N + cols[None, :], (acc - mean[:, None]) * tl.rsqrt(var[:, None] + 1e-5))
