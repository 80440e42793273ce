import math

import triton
import triton.language as tl
from triton.language.extra import libdevice

LOG2E: tl.constexpr = math.log2(math.e)
SIZES = (16, 32)

try:
    fast_tanh = libdevice.tanh
except AttributeError:
    fast_tanh = tl.math.tanh


class Host:
    """What kernels do not see."""

    table = {n: [i for i in range(n) if i % 2] for n in (1, 2, 3)}

    def launch(self, x, **options):
        with open(f"{x!r}", "rb") as f:
            return (lambda m: m["BLOCK"])({"BLOCK": len(f.read())})


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + offs, mask=mask) + tl.load(y + offs, mask=mask), mask=mask)


@triton.autotune(configs=[triton.Config({"BLOCK": 64}, num_warps=4)], key=["n"])
@triton.jit
def softmax_kernel(out, x, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offs = tl.arange(0, BLOCK)
    mask = offs < n
    v = tl.load(x + row * stride + offs, mask=mask, other=-float("inf"))
    v = v - tl.max(v, axis=0)
    num = tl.math.exp2(v * LOG2E)
    tl.store(out + row * stride + offs, num / tl.sum(num, axis=0), mask=mask)


@triton.jit
def relu(x):
    return tl.where(x >= 0, x, 0.0)


@triton.jit
def swizzled(pid, m, n, GROUP: tl.constexpr = 2):
    first = pid // (GROUP * n) * GROUP
    size = min(m - first, GROUP)
    return first + pid % (GROUP * n) % size, pid % (GROUP * n) // size


@triton.jit
def matmul_kernel(a, b, c, M, N, K, am, ak, bk, bn, cm, cn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ACT: tl.constexpr):
    i, j = swizzled(tl.program_id(axis=0), tl.cdiv(M, BM), tl.cdiv(N, BN), GROUP=2)
    rows = (i * BM + tl.arange(0, BM)) % M
    cols = (j * BN + tl.arange(0, BN)) % N
    ks = tl.arange(0, BK)
    ap = a + (rows[:, None] * am + ks[None, :] * ak)
    bp = b + (ks[:, None] * bk + cols[None, :] * bn)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        left = tl.load(ap, mask=ks[None, :] < K - k * BK, other=0.0)
        right = tl.load(bp, mask=ks[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(left, right, acc)
        ap += BK * ak
        bp += BK * bk
    if ACT == "relu":
        acc = relu(acc)
    rows = i * BM + tl.arange(0, BM)
    cols = j * BN + tl.arange(0, BN)
    tl.store(c + cm * rows[:, None] + cn * cols[None, :], acc.to(c.dtype.element_ty), mask=(rows[:, None] < M) & (cols[None, :] < N))


@triton.jit
def block_pointers(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    p = tl.make_block_ptr(base=x, shape=(M, N), strides=(N, 1), offsets=(tl.program_id(0) * BM, 0), block_shape=(BM, BN), order=(1, 0))
    total = tl.zeros([BM], dtype=tl.float32)
    for _ in range(0, N, BN):
        total += tl.sum(tl.load(p, boundary_check=(0, 1), padding_option="zero"), axis=1)
        p = tl.advance(p, (0, BN))
    o = tl.make_block_ptr(out, (M,), (1,), (tl.program_id(0) * BM,), (BM,), (0,))
    tl.store(o, total.to(o.dtype.element_ty), boundary_check=(0,))


@triton.jit
def descriptors(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    d = tl.make_tensor_descriptor(x, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    o = tl.make_tensor_descriptor(out, shape=[N, M], strides=[M, 1], block_shape=[BN, BM])
    i = tl.program_id(0) * BM
    for j in range(0, N, BN):
        o.store([j, i], d.load([i, j]).T)


@triton.jit
def control(x, out, limit, n, flag: tl.constexpr, extra=None):
    """Early return, a while, branches at run time, None, static_range and a negative step."""
    pid = tl.program_id(0)
    if pid >= n:
        return
    steps = 0
    v = tl.load(x + pid)
    while v > limit:
        v = v / 2
        steps += 1
    if steps % 2 == 0:
        kind = 10
        bias = v * 2
    elif steps == 3:
        kind = 20
        bias = v
    else:
        kind, bias = 30, -v
    if flag is not None and flag:
        unrolled = 0.0
        for i in tl.static_range(3):
            unrolled += SIZES[i % 2] * (i + 1)
        bias += unrolled
    if extra is not None:
        bias += tl.load(extra + pid)
    down = 0
    for i in range(5, 0, -2):
        down = down * 10 + i
    tl.store(out + pid, bias + kind + down)


@triton.jit
def both(a, b):
    if a > b:
        return a, b
    return b, a


@triton.jit
def maximum_of(a, b):
    return tl.maximum(a, b)


@triton.jit
def argmax_of(v1, i1, v2, i2):
    better = v1 > v2
    return tl.where(better, v1, v2), tl.where(better, i1, i2)


@triton.jit
def functions(x, out, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    first = tl.load(x)
    last = tl.load(x + N - 1)
    more, less = both(first, last)
    top = tl.reduce(v, 0, maximum_of)
    value, index = tl.reduce((v, tl.arange(0, N)), 0, argmax_of)
    running = tl.associative_scan(v, 0, maximum_of)
    tl.store(out, more)
    tl.store(out + 1, less)
    tl.store(out + 2, top)
    tl.store(out + 3, value)
    tl.store(out + 4, index)
    tl.store(out + 5, tl.sum(running))
    tl.store(out + 6, first if more > 2 else last)
    tl.store(out + 7, tl.sum(fast_tanh(v)))


@triton.jit
def wraps(out, n, step):
    """Scalars are 32 bits: these wrap."""
    big = n * step
    tl.store(out, big)
    tl.store(out + 1, n.to(tl.int64) * step)
    tl.store(out + 2, tl.program_id(0) + 0x7FFFFFFF + 1)


@triton.jit
def types(half, byte, out):
    """What Triton's typing gives, as sizes of types."""
    h = tl.load(half + tl.arange(0, 4))
    b = tl.load(byte + tl.arange(0, 4))
    one = 1.0
    tl.store(out, (h * 2).dtype.primitive_bitwidth)
    tl.store(out + 1, (h * one).dtype.primitive_bitwidth)
    tl.store(out + 2, (b + 1).dtype.primitive_bitwidth)
    tl.store(out + 3, (b + 1.0).dtype.primitive_bitwidth)
    tl.store(out + 4, (b / b).dtype.primitive_bitwidth)
    tl.store(out + 5, tl.sum(b).dtype.primitive_bitwidth)
    tl.store(out + 6, tl.maximum(h, 0.5).dtype.primitive_bitwidth)
    tl.store(out + 7, (h > 0).to(tl.int8).dtype.primitive_bitwidth)


@triton.jit
def persistent(out, n, BLOCK: tl.constexpr):
    for start in tl.range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK, num_stages=2):
        offs = start + tl.arange(0, BLOCK)
        tl.store(out + offs, offs, mask=offs < n)


@triton.jit
def outside(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + offs)
    tl.store(out + offs, v, mask=offs < n)


@triton.constexpr_function
def digits(n):
    total = 0
    for i in range(n):
        total = total * 10 + i
    return total // -7


@triton.jit
def evaluated(x, out, N: tl.constexpr):
    """What is computed as Python does before the kernel runs, and tuples by comprehension."""
    turned: tl.constexpr = digits(4)
    v = tl.load(x + tl.arange(0, N))
    parts = [v * k for k in (1, 2, 3)]
    odd = [k for k in range(6) if k % 2]
    tl.store(out, turned)
    tl.store(out + 1, tl.sum(parts[0] + parts[2]))
    tl.store(out + 2, odd[0] + odd[1] * 10 + odd[-1] * 100 + len(odd) * 1000)
