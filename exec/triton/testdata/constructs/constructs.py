"""A kernel for each construct of Triton's, by how often public kernels use them.

Each kernel has x, 16 numbers, k, 16 integers from 0, and out, 64 zeros. Its doc string is what it
leaves at the beginning of out, in NumPy. Run as a script with "write" it prints constructs.txt, which
holds these values; without, it compares them.
"""
import sys

import triton
import triton.language as tl
import triton.language.core as core
from triton.language.extra import libdevice
from triton.language.extra.cuda import gdc_wait
from triton.language.standard import _log2

HALF = 0.5
GROUP: tl.constexpr = 4
SIZES = (2, 3)


@triton.jit
def tiles_of_programs(x, k, out, N: tl.constexpr):
    """x + k"""
    i = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(out + i, tl.load(x + i) + tl.load(k + i))


@triton.jit
def masked_with_other(x, k, out, N: tl.constexpr):
    """np.where(k < 11, x, 7.0)[:14]"""
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i, mask=i < 11, other=7.0), mask=i < 14)


@triton.jit
def casts(x, k, out, N: tl.constexpr):
    """np.concatenate([x.astype(np.int32), x.astype(np.float16).astype(np.float32) / 3, np.abs(x).astype(np.uint8)])"""
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(out + i, v.to(tl.int32))
    tl.store(out + N + i, v.to(tl.float16).to(tl.float32) / 3)
    tl.store(out + 2 * N + i, tl.abs(v).cast(tl.uint8).to(out.dtype.element_ty))


@triton.jit
def bits(x, k, out, N: tl.constexpr):
    """np.concatenate([x.view(np.int32) >> 24, (k << 2 | 1) ^ (k & 6), ~k])"""
    i = tl.arange(0, N)
    n = tl.load(k + i)
    tl.store(out + i, tl.load(x + i).to(tl.int32, bitcast=True) >> 24)
    tl.store(out + N + i, (n << 2 | 1) ^ (n & 6))
    tl.store(out + 2 * N + i, ~n)


@triton.jit
def constexpr_if(x, k, out, N: tl.constexpr):
    """x * 3"""
    i = tl.arange(0, N)
    v = tl.load(x + i)
    if N > 100:
        v = undefined_name(v)
    elif N == 16 and not N < 4:
        factor: tl.constexpr = N // 5
        v = v * factor
    tl.store(out + i, v)


@triton.jit
def run_time_if(x, k, out, N: tl.constexpr):
    """[x[:8].sum() * 2, x.max()]"""
    v = tl.load(x + tl.arange(0, N))
    at = tl.load(k + 8)
    if at > 7:
        kind = 2
        total = tl.sum(tl.where(tl.arange(0, N) < at, v, 0.0))
    else:
        kind = 3
        total = 0.0
    tl.store(out, total * kind)
    tl.store(out + 1, tl.max(v, axis=0) if at != 3 else -1.0)


@triton.jit
def loop_over_range(x, k, out, N: tl.constexpr):
    """[k[:12:3].sum(), x[3:].sum(), 1064]"""
    total = 0
    for n in range(0, tl.load(k + 12), 3):
        total += tl.load(k + n)
    rest = 0.0
    for n in range(3, N):
        rest += tl.load(x + n)
    down = 1
    for n in range(6, 0, -2):
        down = down * 10 + n
    tl.store(out, total)
    tl.store(out + 1, rest)
    tl.store(out + 2, down - 578)


@triton.jit
def loop_with_options(x, k, out, N: tl.constexpr):
    """[x.sum()]"""
    acc = tl.zeros((GROUP,), dtype=tl.float32)
    for start in tl.range(0, N, GROUP, num_stages=2, loop_unroll_factor=2, flatten=True, warp_specialize=False, disallow_acc_multi_buffer=True):
        start = tl.multiple_of(start, GROUP)
        acc += tl.load(x + start + tl.arange(0, GROUP))
    tl.store(out, tl.sum(acc))


@triton.jit
def unrolled(x, k, out, N: tl.constexpr):
    """[x[0] * 2 + x[1] * 3, 6, x[:4].sum()]"""
    total = 0.0
    for j in tl.static_range(2):
        total += tl.load(x + j) * SIZES[j]
    parts = ()
    for j in tl.static_range(1, 4):
        parts = parts + (j,)
    tl.store(out, total)
    tl.store(out + 1, parts[0] + parts[1] + parts[-1])
    four = (tl.load(x), tl.load(x + 1), tl.load(x + 2), tl.load(x + 3))
    s = 0.0
    for v in tl.static_range(0, len(four)):
        s += four[v]
    tl.store(out + 2, s)


@triton.jit
def loop_while(x, k, out, N: tl.constexpr):
    """[5, 32]"""
    steps, v = 0, 1
    while v < 20 and steps < N:
        v *= 2
        steps += 1
    tl.store(out, steps)
    tl.store(out + 1, v)


@triton.jit
def early_return(x, k, out, N: tl.constexpr):
    """[1.0]"""
    if tl.program_id(0) > 0:
        return
    tl.store(out, 1.0)
    if tl.load(k + 3) == 3:
        return
    tl.store(out, 2.0)


@triton.jit
def larger(a, b, DOUBLED: tl.constexpr = False):
    if DOUBLED:
        return a * 2, b * 2
    if a > b:
        return a, b
    return b, a


@triton.jit
def helpers(x, k, out, N: tl.constexpr):
    """[3, 2, 4, 6, 9]"""
    a, b = larger(tl.load(k + 2), tl.load(k + 3))
    c, d = larger(2, 3, DOUBLED=True)
    tl.store(out, a)
    tl.store(out + 1, b)
    tl.store(out + 2, c)
    tl.store(out + 3, d)
    tl.store(out + 4, squared(b=3))


@triton.jit
def squared(b, HALVED: tl.constexpr = None):
    return b * b if HALVED is None else b * HALF


@triton.jit
def function_as_argument(x, k, out, N: tl.constexpr, F: tl.constexpr = squared):
    """x * x"""
    i = tl.arange(0, N)
    tl.store(out + i, F(tl.load(x + i)))


@triton.jit
def new_axes(x, k, out, N: tl.constexpr):
    """np.concatenate([(k[:4, None] * 10 + k[None, :4]).ravel(), (k[:4, None] - k[None, :4]).sum(0)])"""
    i = tl.arange(0, 4)
    a = i[:, None] * 10 + i[None, :]
    tl.store(out + i[:, None] * 4 + i[None, :], a)
    tl.store(out + 16 + i, tl.sum(tl.expand_dims(i, 1) - tl.expand_dims(i, 0), axis=0))


@triton.jit
def dot_with_options(x, k, out, N: tl.constexpr):
    """np.concatenate([np.diag(np.outer(k, k) @ np.outer(k, x)) * 2 + 1, (np.outer(k, k) @ np.outer(k, x))[1]])"""
    i = tl.arange(0, N)
    n, v = tl.load(k + i).to(tl.float32), tl.load(x + i)
    a, b = n[:, None] * n[None, :], n[:, None] * v[None, :]
    acc = tl.full((N, N), 1, tl.float32)
    acc = tl.dot(a, b, acc=acc, input_precision="ieee", out_dtype=tl.float32)
    acc += tl.dot(a, b, allow_tf32=False)
    tl.store(out + i, tl.sum(tl.where(i[:, None] == i[None, :], acc, 0.0), 1))
    once = tl.dot(a, b.T, trans_b=True, max_num_imprecise_acc=0)
    tl.store(out + N + i[None, :] + i[:, None] * 0, once, mask=i[:, None] == 1)


@triton.jit
def half_products(x, k, out, N: tl.constexpr):
    """(np.tile(k, (16, 1)) @ np.tile(k, (16, 1)).T)[0]"""
    i = tl.arange(0, N)
    n = tl.load(k + i)
    a = tl.broadcast_to(n[None, :], (N, N))
    z = tl.dot(a.to(tl.bfloat16), tl.trans(a.to(tl.bfloat16)))
    z8 = tl.dot(a.to(tl.int8), a.to(tl.int8).T)
    tl.store(out + i, tl.max((z + z8) / 2, axis=0))


@triton.jit
def elementwise(x, k, out, N: tl.constexpr):
    """np.concatenate([np.exp(x) + np.sqrt(k), np.log(k + 1) - np.sin(x) * np.cos(x), 1 / (1 + np.exp(-x)) + np.floor(x) + np.exp2(x)])"""
    i = tl.arange(0, N)
    v, n = tl.load(x + i), tl.load(k + i).to(tl.float32)
    tl.store(out + i, tl.exp(v) + tl.sqrt(n))
    tl.store(out + N + i, tl.log(n + 1) - tl.sin(v) * tl.math.cos(v))
    tl.store(out + 2 * N + i, tl.sigmoid(v) + tl.floor(v) + tl.math.exp2(v))


@triton.jit
def choices(x, k, out, N: tl.constexpr):
    """np.concatenate([np.where(k % 3 == 0, x, -1), np.maximum(x, 1), np.clip(x, -1, 2), np.minimum(k, 9)])"""
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(out + i, tl.where(i % 3 == 0, v, -1))
    tl.store(out + N + i, tl.maximum(v, 1))
    tl.store(out + 2 * N + i, tl.clamp(v, -1.0, 2.0))
    tl.store(out + 3 * N + i, min(i, 9))


@triton.jit
def reductions(x, k, out, N: tl.constexpr):
    """[x.sum(), x.max(), x.min(), np.argmax(x), np.argmin(x), 0 ^ 1 ^ 2 ^ 3, 3, 15, 6, 22, 38, 54]"""
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(out, tl.sum(v, axis=0))
    tl.store(out + 1, v.max(0))
    tl.store(out + 2, tl.min(v))
    tl.store(out + 3, tl.argmax(v, 0))
    tl.store(out + 4, tl.argmin(v, axis=0, tie_break_left=True))
    tl.store(out + 5, tl.xor_sum(tl.arange(0, 4), 0))
    largest, at = tl.max(tl.where(i == 3, 9, 0), 0, return_indices=True)
    tl.store(out + 6, at + largest - 9)
    tl.store(out + 7 + tl.arange(0, 1), tl.max(i, axis=0, keep_dims=True))
    tl.store(out + 8 + tl.arange(0, 4), tl.sum(tl.reshape(i, (4, 4)), 1))


@triton.jit
def product(a, b):
    return a * b


@triton.jit
def linear(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@triton.jit
def own_reductions(x, k, out, N: tl.constexpr):
    """np.concatenate([[24.0], np.cumsum(x), np.cumsum(x[::-1])[::-1], (k + 1.0)[:4].cumprod(), [0, 1, 4, 11]])"""
    i = tl.arange(0, N)
    four = tl.arange(0, 4)
    tl.store(out, tl.reduce(four + 1, 0, product))
    tl.store(out + 1 + i, tl.cumsum(tl.load(x + i), 0))
    tl.store(out + 1 + N + i, tl.cumsum(tl.load(x + i), axis=0, reverse=True))
    tl.store(out + 1 + 2 * N + four, tl.associative_scan(four + 1, 0, product))
    _, h = tl.associative_scan((tl.full((4,), 2, tl.int32), four), axis=0, combine_fn=linear)
    tl.store(out + 5 + 2 * N + four, h)


@triton.jit
def shapes(x, k, out, N: tl.constexpr):
    """np.concatenate([x.reshape(4, 4).T.ravel(), np.stack([x[:4], x[4:8]], 1).ravel(), x[:8], x[8:] + x[:8]])"""
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(out + i, tl.ravel(tl.permute(tl.view(v, (4, 4)), (1, 0))))
    a, b = tl.split(tl.trans(v.reshape(2, 8)))
    tl.store(out + N + 8 + tl.arange(0, 8), a)
    tl.store(out + N + 16 + tl.arange(0, 8), a + b)
    c, d = tl.split(tl.trans(a.reshape(2, 4), 1, 0))
    tl.store(out + N + tl.arange(0, 8), tl.interleave(c, d))


@triton.jit
def join_cat_flip(x, k, out, N: tl.constexpr):
    """np.concatenate([np.stack([k[:4], k[:4] * 10], 1).ravel(), k[:8], k[7::-1]])"""
    f, e = tl.arange(0, 4), tl.arange(0, 8)
    tl.store(out + e, tl.join(f, f * 10).reshape(8))
    tl.store(out + 8 + e, tl.cat(f, f + 4, can_reorder=True))
    tl.store(out + 16 + e, tl.flip(e, 0))


@triton.jit
def order(x, k, out, N: tl.constexpr):
    """np.concatenate([np.sort(np.sin(k))[::-1], np.sort(-x), [15, 14, 13, 12], [4, 4, 4, 4], x[(k * 5) % 16]])"""
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(out + i, tl.sort(tl.sin(i.to(tl.float32)), descending=True))
    tl.store(out + N + i, tl.sort(-v, dim=0))
    tl.store(out + 2 * N + tl.arange(0, 4), tl.topk(i, 4))
    tl.store(out + 2 * N + 4 + tl.arange(0, 4), tl.histogram(i % 4, 4))
    tl.store(out + 2 * N + 8 + i, tl.gather(v, (i * 5) % N, axis=0))


@triton.jit
def block_pointers(x, k, out, N: tl.constexpr):
    """np.concatenate([x[2:4], x[6:8], [x[[0, 1, 4, 5]].sum() + x[[8, 9, 12, 13]].sum()], [0] * 3, x[12:16], [0] * 4])"""
    p = tl.make_block_ptr(base=x, shape=(4, 4), strides=(4, 1), offsets=(0, 0), block_shape=(2, 2), order=(1, 0))
    q = tl.advance(p, (0, 2))
    o = tl.make_block_ptr(out, (2, 2), (2, 1), (0, 0), (2, 2), (1, 0))
    tl.store(o, tl.load(q), boundary_check=(0, 1))
    total = 0.0
    for _ in range(2):
        total += tl.sum(tl.load(p))
        p = tl.advance(p, (2, 0))
    tl.store(out + 4, total)
    edge = tl.make_block_ptr(x, (N,), (1,), (12,), (8,), (0,))
    tl.store(out + 8 + tl.arange(0, 8), tl.load(edge, boundary_check=(0,), padding_option="zero"))


@triton.jit
def descriptors(x, k, out, N: tl.constexpr):
    """np.concatenate([x.reshape(4, 4).T[:2].ravel(), [x[15], 0, 0, 0]])"""
    d = tl.make_tensor_descriptor(x, shape=[4, 4], strides=[4, 1], block_shape=[4, 2])
    o = tl.make_tensor_descriptor(out, [2, 4], [4, 1], [2, 4])
    o.store([0, 0], d.load([0, 0]).T)
    r = tl.load_tensor_descriptor(d, [3, 3])
    tl.store(out + 8 + tl.arange(0, 4), tl.where(tl.arange(0, 4) == 0, tl.sum(r), 0.0))


@triton.jit
def atomics(x, k, out, N: tl.constexpr):
    """[24, 28, 32, 36, 15, 5, 7, 2, 9, 1]"""
    i = tl.arange(0, N)
    tl.atomic_add(out + i % 4, tl.load(k + i), sem="relaxed", scope="gpu")
    tl.atomic_max(out + 4 + i * 0, tl.load(k + i).to(tl.float32))
    old = tl.atomic_xchg(k + 5, 7)
    tl.store(out + 5, old)
    tl.store(out + 6, tl.atomic_cas(k + 5, 7, 2))
    tl.debug_barrier()
    tl.store(out + 7, tl.load(k + 5))
    tl.atomic_or(k + 9, 16)
    tl.atomic_and(k + 9, 15)
    tl.store(out + 8, tl.atomic_add(k + 9, 1))
    tl.store(out + 9, tl.atomic_min(k + 1, -3))


@triton.jit
def hints(x, k, out, N: tl.constexpr):
    """x"""
    i = tl.max_contiguous(tl.multiple_of(tl.arange(0, N), 16), N)
    tl.assume(N > 0)
    tl.static_assert(N == 16, "sixteen")
    tl.static_print("N is", N)
    tl.device_assert(i < N, "within")
    v = tl.load(x + i, cache_modifier=".cg", eviction_policy="evict_first", volatile=True)
    tl.store(out + i, v, cache_modifier=".wb", eviction_policy="evict_last")


@triton.jit
def dtypes(x, k, out, N: tl.constexpr):
    """[32, 1, 1, 0, 16, 64, 8]"""
    v = tl.load(x)
    tl.store(out, v.dtype.primitive_bitwidth)
    tl.store(out + 1, x.dtype.element_ty == tl.float32)
    tl.store(out + 2, v.dtype.is_floating())
    tl.store(out + 3, k.dtype.element_ty.is_fp16())
    small = v.to(tl.float16)
    tl.store(out + 4, (small * 2).dtype.primitive_bitwidth)
    tl.store(out + 5, (tl.load(k).to(tl.int64) + 1).dtype.primitive_bitwidth)
    tl.store(out + 6, tl.load(k).to(tl.int8).dtype.primitive_bitwidth)


@triton.jit
def eights(x, k, out, N: tl.constexpr):
    """np.concatenate([[-3.75, -3, -2.25, -1.5], [16, 18, 20, 22]])"""
    i = tl.arange(0, 4)
    tl.store(out + i, tl.load(x + i).to(tl.float8e4nv).to(tl.float32))
    tl.store(out + 4 + i, (i + 8).to(tl.float8e4nv).to(tl.float16) * 2)


@triton.jit
def integers(x, k, out, N: tl.constexpr):
    """np.concatenate([[-2, -1, 5, 6, 1], [-2147483648, 2147483648], [2, 3]])"""
    three = tl.load(k + 3)
    tl.store(out, -7 // three)
    tl.store(out + 1, -7 % three)
    tl.store(out + 2, tl.cdiv(13, three))
    tl.store(out + 3, (20 - 7 * 2) | 0)
    tl.store(out + 4, not three == 4)
    tl.store(out + 5, three + 0x7FFFFFFF - 2)
    tl.store(out + 6, three.to(tl.int64) + 0x7FFFFFFF - 2)
    tl.store(out + 7, tl.program_id(0) + 2)
    tl.store(out + 8, tl.num_programs(0) + 2)


@triton.jit
def none_and_strings(x, k, out, N: tl.constexpr, bias=None, act: tl.constexpr = "relu", kind: tl.constexpr = tl.float16):
    """np.maximum(x, 0)"""
    i = tl.arange(0, N)
    v = tl.load(x + i)
    if bias is not None:
        v += tl.load(bias + i)
    if act == "relu" and kind == tl.float16:
        v = tl.where(v > 0, v, 0)
    tl.store(out + i, v)


@triton.jit
def pointers_move(x, k, out, N: tl.constexpr):
    """np.concatenate([x[4:8], [x[0], x[0]]])"""
    i = tl.arange(0, 4)
    out += i
    p, v = x + i, tl.zeros((4,), tl.float32)
    for _ in range(2):
        v = tl.load(p)
        p += 4
    tl.store(out, v)
    out += 4
    tl.store(out, tl.load(x), mask=i < 2)


@triton.jit
def random_numbers(x, k, out, N: tl.constexpr):
    """[1, 1, 1, 1]"""
    i = tl.arange(0, N)
    u = tl.rand(7, i)
    a, b, c, d = tl.randint4x(7, i)
    tl.store(out, tl.min((u >= 0) & (u < 1)).to(tl.int32))
    tl.store(out + 1, tl.max(tl.abs(tl.uint_to_uniform_float(a) - u)) == 0)
    tl.store(out + 2, tl.max(tl.randn(7, i)) < 8)
    fewer, _, _, _ = tl.philox(7, i, i * 0, i * 0, i * 0, n_rounds=7)
    tl.store(out + 3, tl.max(tl.abs(tl.uint_to_uniform_float(fewer) - tl.rand(7, i, n_rounds=7))) == 0)


@triton.jit
def libraries(x, k, out, N: tl.constexpr):
    """np.concatenate([np.tanh(x) + np.rint(x), np.abs(x) ** 1.5 + np.expm1(x), np.trunc(x) + np.copysign(1, x), np.arctan2(x, 1) + np.hypot(x, 3)])"""
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(out + i, libdevice.tanh(v) + libdevice.rint(v))
    tl.store(out + N + i, libdevice.pow(tl.abs(v), 1.5) + libdevice.expm1(v))
    tl.store(out + 2 * N + i, libdevice.trunc(v) + libdevice.copysign(1.0, v))
    tl.store(out + 3 * N + i, libdevice.atan2(v, 1.0) + libdevice.hypot(v, 3.0))


@triton.jit
def rarer_libraries(x, k, out, N: tl.constexpr):
    """[np.log(24), 24, 0.4769362762, -1, 0, 3, 5, 29, -1, 0.5, 1 / 3]"""
    n = tl.load(k + 5)
    f = n.to(tl.float32)
    tl.store(out, libdevice.lgamma(f))
    tl.store(out + 1, libdevice.tgamma(f))
    tl.store(out + 2, libdevice.erfinv(f / 10))
    tl.store(out + 3, libdevice.cospi(f))
    tl.store(out + 4, libdevice.sinpi(f))
    tl.store(out + 5, libdevice.ffs(n - 1))
    tl.store(out + 6, libdevice.fast_log2f(tl.exp2(f)))
    tl.store(out + 7, libdevice.clz(n))
    tl.store(out + 8, libdevice.remainder(f * 1.8, 10.0))
    tl.store(out + 9, libdevice.normcdf(f - 5))
    tl.store(out + 10, libdevice.rcbrt(f + 22))


@triton.jit
def quantised(x, k, out, N: tl.constexpr):
    """np.concatenate([np.clip(np.rint(x / 0.059055), -128, 127), (k * 17 >> np.tile([0, 4], 8)) & 15])"""
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(out + i, tl.clamp(libdevice.llrint(v / 0.059055).to(tl.float32), -128, 127).to(tl.int8))
    packed = tl.load(k + i) * 17
    tl.store(out + N + i, (packed >> (i % 2) * 4) & 0xF)


@triton.jit
def scaled_products(x, k, out, N: tl.constexpr):
    """np.full(16, 32 * 1.5 * 2 * 0.5 * 3)"""
    i = tl.arange(0, N)
    packed = tl.full((N, 16), 0x33, tl.uint8)
    two = tl.full((N, 1), 128, tl.uint8)
    half = tl.full((N, 1), 126, tl.uint8)
    z = tl.dot_scaled(packed, two, "e2m1", tl.full((32, N), 3.0, tl.bfloat16), half, "bf16")
    tl.store(out + i, tl.max(z, 0))


@triton.jit
def swizzled(x, k, out, N: tl.constexpr):
    """np.array([0, 4, 1, 5, 2, 6, 3, 7])"""
    i = tl.arange(0, 8)
    a, b = tl.swizzle2d(i // 4, i % 4, 2, 4, 2)
    tl.store(out + i, a * 4 + b)


@triton.jit
def statistics(m1, s1, n1, m2, s2, n2):
    n = n1 + n2
    d = m2 - m1
    return m1 + d * n2 / n, s1 + s2 + d * d * n1 * n2 / n, n


@triton.jit
def three_at_once(x, k, out, N: tl.constexpr):
    """[x.mean(), x.var(), 16]"""
    v = tl.load(x + tl.arange(0, N))
    mean, m2, n = tl.reduce((v, tl.zeros_like(v), tl.full((N,), 1.0, tl.float32)), 0, statistics)
    tl.store(out, mean)
    tl.store(out + 1, m2 / n)
    tl.store(out + 2, n)


@triton.jit
def online_softmax(x, k, out, N: tl.constexpr):
    """np.exp(x - x.max()) / np.exp(x - x.max()).sum()"""
    m, d = -float("inf"), 0.0
    for start in range(0, N, GROUP):
        v = tl.load(x + start + tl.arange(0, GROUP))
        new = tl.maximum(m, tl.max(v))
        d = d * tl.exp(m - new) + tl.sum(tl.exp(v - new))
        m = new
    i = tl.arange(0, N)
    tl.store(out + i, tl.exp(tl.load(x + i) - m) / d)


@triton.jit
def lock(x, k, out, N: tl.constexpr):
    """np.append(x, 1)"""
    i = tl.arange(0, N)
    while tl.atomic_cas(k, 0, 1) == 1:
        gdc_wait()
    tl.store(out + i, tl.load(out + i) + tl.load(x + i))
    tl.store(out + N, tl.load(k))
    tl.atomic_xchg(k, 0)


@triton.jit
def branches_that_return(x, k, out, N: tl.constexpr):
    """[1, 20, 300]"""
    for j in tl.static_range(3):
        tl.store(out + j, chosen(tl.load(k + j), j))


@triton.jit
def chosen(v, POWER: tl.constexpr):
    if v == 0:
        return v + 1
    elif v == 1:
        w = v * 2
    else:
        w = v + 1
    return w * 10 ** POWER


@triton.jit
def persistent(x, k, out, N: tl.constexpr):
    """np.repeat([0, 1, 2, 3], 4)"""
    for tile in tl.range(tl.program_id(0), tl.cdiv(N, GROUP), tl.num_programs(0)):
        tl.store(out + tile * GROUP + tl.arange(0, GROUP), tl.full((GROUP,), 1, tl.int32) * tile)


@triton.jit
def swapped(v, DIMS: core.constexpr, at: core.constexpr):
    shape: core.constexpr = [v.numel >> (DIMS - at), 2, 2**(DIMS - at - 1)]
    whole = core.get_int_dtype(bitwidth=v.dtype.primitive_bitwidth, signed=True)
    y = core.reshape(v, shape).to(whole, bitcast=True)
    second = core.arange(0, 2)[None, :, None]
    left = core.broadcast_to(tl.sum(y * (1 - second), 1)[:, None, :], shape)
    right = core.broadcast_to(tl.sum(y * second, 1)[:, None, :], shape)
    return core.reshape(core.where(second == core.CONSTEXPR_0, right, left), v.shape).to(v.dtype, bitcast=True)


@triton.jit
def parts_of_the_language(x, k, out, N: tl.constexpr):
    """np.concatenate([x[8:], x[:8], x.reshape(8, 2)[:, ::-1].ravel(), [16, 3]])"""
    i = tl.arange(0, N)
    n_dims: core.constexpr = _log2(N)
    tl.store(out + i, swapped(tl.load(x + i), n_dims, 0))
    tl.store(out + N + i, swapped(tl.load(x + i), n_dims, n_dims - 1))
    tl.store(out + 2 * N, tl.load(x).to(tl.dtype("fp16")).dtype.primitive_bitwidth)
    tl.store(out + 2 * N + 1, tl.tuple((2, 3))[1])


@triton.jit
def pointers_chosen(x, k, out, N: tl.constexpr):
    """np.concatenate([x, x * 2])"""
    i = tl.arange(0, N)
    first = tl.load(k)
    tl.store(tl.where(first > 0, x, out) + i, tl.load(tl.where(first == 0, x, out + N) + i))
    tl.store(tl.where(first == 0, out + N, x) + i, 2 * tl.load(tl.where(first > 0, out + i, x + i)))


@triton.jit
def lesser(a, b):
    if a <= b:
        return a
    else:
        return b


@triton.jit
def first_largest(v, i, w, j):
    n = j
    if v > w:
        return v, i
    elif v == w:
        if i < j:
            n = i
    return w, n


@triton.jit
def combining_with_if(x, k, out, N: tl.constexpr):
    """np.concatenate([np.minimum.accumulate(-x), [7.5, 15, 4]])"""
    i = tl.arange(0, N)
    v, at = tl.load(x + i), tl.load(k + i)
    tl.store(out + i, tl.associative_scan(-v, 0, lesser))
    most, where = tl.reduce((v, at), 0, first_largest)
    tl.store(out + N, most)
    tl.store(out + N + 1, where)
    most, where = tl.reduce((tl.where(at < 4, 0.0, 1.0), at), 0, first_largest)
    tl.store(out + N + 2, where)


@triton.jit
def constants_of_run_time(x, k, out, N: tl.constexpr):
    """np.concatenate([x * 3, x * 3])"""
    i = tl.arange(0, N)
    times: tl.constexpr = tl.load(k + 3)
    tl.store(out + i, tl.load(x + i) * times)
    same = tl.constexpr(times * tl.load(x + i))
    tl.store(out + N + i, same)


KERNELS = [f for f in list(globals().values()) if type(f).__name__ == "JITFunction" and f.arg_names[:3] == ["x", "k", "out"]]


def main(write):
    import numpy as np

    for kernel in KERNELS:
        x, k = (np.arange(16, dtype=np.float32) - 5) * np.float32(0.75), np.arange(16, dtype=np.int32)
        want = np.asarray(eval(kernel.fn.__doc__, {"np": np, "x": x.copy(), "k": k.copy()}), np.float64)
        if write:
            print(kernel.__name__, *("%.9g" % v for v in want))
            continue
        out = np.zeros(64, np.float32)
        kernel[(1,)](x, k, out, 16)
        np.testing.assert_allclose(out[:want.size], want, 2e-6, 2e-6, err_msg=kernel.__name__)


if __name__ == "__main__":
    main(sys.argv[1:] == ["write"])
