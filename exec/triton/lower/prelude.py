import triton.language as tl

# Functions of the language that are written in it. Their names are those of
# triton.language; what they compute is its definition.


def cdiv(x, div):
    return (x + div - 1) // div


def softmax(x, dim=None, keep_dims=False, ieee_rounding=False):
    axis: tl.constexpr = 0 if dim is None else dim
    z = x - tl.max(x, axis, keep_dims=True)
    num = tl.exp(z)
    return num / tl.sum(num, axis, keep_dims=True)


def _promote_bfloat16_to_float32(t):
    return t.to(tl.float32) if t.dtype == tl.bfloat16 else t


def _promote_reduction_input(t):
    if t.dtype.is_int() and t.dtype.int_bitwidth < 32:
        return t.to(tl.int32)
    return _promote_bfloat16_to_float32(t)


def ravel(x, can_reorder=False):
    return tl.reshape(x, [x.numel])


def swizzle2d(i, j, size_i, size_j, size_g):
    ij = i * size_j + j
    size_gj = size_g * size_j
    group = ij // size_gj
    first = group * size_g
    height = tl.minimum(size_i - first, size_g)
    ij = ij % size_gj
    return first + ij % height, ij // height


def philox(seed, c0, c1, c2, c3, n_rounds=10):
    seed = tl.cast(seed, tl.uint64)
    k0 = tl.cast(seed, tl.uint32)
    k1 = tl.cast(seed >> 32, tl.uint32)
    c0 = tl.cast(c0, tl.uint32)
    c1 = tl.cast(c1, tl.uint32)
    c2 = tl.cast(c2, tl.uint32)
    c3 = tl.cast(c3, tl.uint32)
    for _ in tl.static_range(n_rounds):
        t0 = c0
        t2 = c2
        c0 = tl.umulhi(tl.full([], 0xCD9E8D57, tl.uint32), t2) ^ c1 ^ k0
        c2 = tl.umulhi(tl.full([], 0xD2511F53, tl.uint32), t0) ^ c3 ^ k1
        c1 = t2 * tl.full([], 0xCD9E8D57, tl.uint32)
        c3 = t0 * tl.full([], 0xD2511F53, tl.uint32)
        k0 = k0 + tl.full([], 0x9E3779B9, tl.uint32)
        k1 = k1 + tl.full([], 0xBB67AE85, tl.uint32)
    return c0, c1, c2, c3


def uint_to_uniform_float(x):
    if x.dtype.primitive_bitwidth == 64:
        x = tl.cast(x, tl.int64, bitcast=True)
        scale: tl.constexpr = 1.0842020432385337e-19
    else:
        x = tl.cast(x, tl.int32, bitcast=True)
        scale: tl.constexpr = 4.6566127342e-10
    x = tl.where(x < 0, -x - 1, x)
    return x.to(tl.float32) * scale


def pair_uniform_to_normal(u1, u2):
    u1 = tl.maximum(1.0e-7, u1)
    th = 6.283185307179586 * u2
    r = tl.sqrt(-2.0 * tl.log(u1))
    return r * tl.cos(th), r * tl.sin(th)


def _randint4x(seed, offset, n_rounds):
    """Of other than 10 rounds, which are operations."""
    if offset.dtype.primitive_bitwidth == 64:
        high = offset >> 32
    else:
        high = offset * 0
    none = offset * 0
    a, b, c, d = philox(seed, offset, high, none, none, n_rounds)
    whole = tl.randint(seed, offset).dtype
    return a.to(whole, bitcast=True), b.to(whole, bitcast=True), c.to(whole, bitcast=True), d.to(whole, bitcast=True)


def _randint(seed, offset, n_rounds):
    a, _, _, _ = _randint4x(seed, offset, n_rounds)
    return a


def _rand(seed, offset, n_rounds):
    return uint_to_uniform_float(_randint(seed, offset, n_rounds))


def _randn(seed, offset, n_rounds):
    a, b, _, _ = _randint4x(seed, offset, n_rounds)
    n, _ = pair_uniform_to_normal(uint_to_uniform_float(a), uint_to_uniform_float(b))
    return n


def rand4x(seed, offset, n_rounds=10):
    i1, i2, i3, i4 = tl.randint4x(seed, offset, n_rounds)
    return uint_to_uniform_float(i1), uint_to_uniform_float(i2), uint_to_uniform_float(i3), uint_to_uniform_float(i4)


def randn4x(seed, offset, n_rounds=10):
    u1, u2, u3, u4 = rand4x(seed, offset, n_rounds)
    n1, n2 = pair_uniform_to_normal(u1, u2)
    n3, n4 = pair_uniform_to_normal(u3, u4)
    return n1, n2, n3, n4


def nearbyint(x):
    return tl.rint(x)


def llrint(x):
    return tl.rint(x).to(tl.int64)


def llround(x):
    return tl.round(x).to(tl.int64)


def isnan(x):
    return x != x


def isinf(x):
    return tl.abs(x) == float("inf")


def isfinited(x):
    return tl.abs(x) < float("inf")


def finitef(x):
    return tl.abs(x) < float("inf")


def exp10(x):
    return tl.pow(10.0, x)


def log10(x):
    return tl.log(x) * 0.4342944819032518


def sinh(x):
    return (tl.exp(x) - tl.exp(-x)) * 0.5


def cosh(x):
    return (tl.exp(x) + tl.exp(-x)) * 0.5


def asinh(x):
    return tl.log(x + tl.sqrt(x * x + 1.0))


def acosh(x):
    return tl.log(x + tl.sqrt(x * x - 1.0))


def atanh(x):
    return 0.5 * tl.log((1.0 + x) / (1.0 - x))


def erfc(x):
    return 1.0 - tl.erf(x)


def cbrt(x):
    return copysign(tl.pow(tl.abs(x), 0.3333333333333333), x)


def copysign(x, y):
    return tl.where(signbit(y), -tl.abs(x), tl.abs(x))


def signbit(x):
    if x.dtype.primitive_bitwidth == 64:
        return x.to(tl.int64, bitcast=True) < 0
    return x.to(tl.float32).to(tl.int32, bitcast=True) < 0


def hypot(x, y):
    return tl.sqrt(x * x + y * y)


def rhypot(x, y):
    return tl.rsqrt(x * x + y * y)


def fdim(x, y):
    return tl.where(x > y, x - y, 0.0)


def saturatef(x):
    return tl.clamp(x, 0.0, 1.0)


def reciprocal(x):
    return 1.0 / x


def rcp_rn(x):
    return 1.0 / x


def ldexp(x, n):
    return x * tl.exp2(n.to(tl.float32))


def float_as_int(x):
    return tl.cast(x, tl.int32, bitcast=True)


def float_as_uint(x):
    return tl.cast(x, tl.uint32, bitcast=True)


def int_as_float(x):
    return tl.cast(x, tl.float32, bitcast=True)


def uint_as_float(x):
    return tl.cast(x, tl.float32, bitcast=True)


def double_as_longlong(x):
    return tl.cast(x, tl.int64, bitcast=True)


def longlong_as_double(x):
    return tl.cast(x, tl.float64, bitcast=True)


def float2int_rn(x):
    return tl.rint(x).to(tl.int32)


def float2int_rz(x):
    return x.to(tl.int32)


def mulhi(x, y):
    return tl.umulhi(x, y)


def popc(x):
    v = tl.cast(x, tl.uint32, bitcast=True)
    v = v - ((v >> 1) & 0x55555555)
    v = (v & 0x33333333) + ((v >> 2) & 0x33333333)
    v = (v + (v >> 4)) & 0x0F0F0F0F
    v = (v + (v >> 8) + (v >> 16) + (v >> 24)) & 0x3F
    return v.to(tl.int32)


def clz(x):
    v = tl.cast(x, tl.uint32, bitcast=True)
    v = v | (v >> 1)
    v = v | (v >> 2)
    v = v | (v >> 4)
    v = v | (v >> 8)
    v = v | (v >> 16)
    return 32 - popc(v.to(tl.int32, bitcast=True))


def ffs(x):
    return tl.where(x == 0, 0, 32 - clz(x & -x))


def brev(x):
    v = tl.cast(x, tl.uint32, bitcast=True)
    v = ((v >> 1) & 0x55555555) | ((v & 0x55555555) << 1)
    v = ((v >> 2) & 0x33333333) | ((v & 0x33333333) << 2)
    v = ((v >> 4) & 0x0F0F0F0F) | ((v & 0x0F0F0F0F) << 4)
    v = ((v >> 8) & 0x00FF00FF) | ((v & 0x00FF00FF) << 8)
    return tl.cast((v >> 16) | (v << 16), tl.int32, bitcast=True)


def mul24(x, y):
    return ((x << 8) >> 8) * ((y << 8) >> 8)


def add_rn(x, y):
    return x + y


def sub_rn(x, y):
    return x - y


def remainder(x, y):
    return tl.fma(-tl.rint(x / y), y, x)


def norm3d(x, y, z):
    return tl.sqrt(x * x + y * y + z * z)


def norm4d(x, y, z, t):
    return tl.sqrt(x * x + y * y + z * z + t * t)


def rcbrt(x):
    return 1.0 / cbrt(x)


def sinpi(x):
    r = x - 2.0 * tl.rint(0.5 * x)
    return tl.sin(r * 3.141592653589793)


def cospi(x):
    r = x - 2.0 * tl.rint(0.5 * x)
    return tl.cos(r * 3.141592653589793)


def ilogb(x):
    if x.dtype.primitive_bitwidth == 64:
        return ((tl.cast(x, tl.int64, bitcast=True) >> 52) & 0x7FF).to(tl.int32) - 1023
    return ((tl.cast(x.to(tl.float32), tl.int32, bitcast=True) >> 23) & 0xFF) - 127


def logb(x):
    return ilogb(x).to(x.dtype)


def normcdf(x):
    return 0.5 * erfc(x * -0.7071067811865476)


def _lanczos(z):
    """The logarithm of the gamma function, for z of at least a half."""
    z = z - 1.0
    s = 0.99999999999980993 + 676.5203681218851 / (z + 1.0) - 1259.1392167224028 / (z + 2.0) + 771.32342877765313 / (z + 3.0)
    s += -176.61502916214059 / (z + 4.0) + 12.507343278686905 / (z + 5.0) - 0.13857109526572012 / (z + 6.0)
    s += 9.9843695780195716e-6 / (z + 7.0) + 1.5056327351493116e-7 / (z + 8.0)
    t = z + 7.5
    return 0.9189385332046727 + (z + 0.5) * tl.log(t) - t + tl.log(s)


def lgamma(x):
    z = x.to(tl.float64)
    turned = tl.log(3.141592653589793 / tl.abs(sinpi(z))) - _lanczos(1.0 - z)
    return tl.where(z < 0.5, turned, _lanczos(z)).to(x.dtype)


def tgamma(x):
    z = x.to(tl.float64)
    turned = 3.141592653589793 / (sinpi(z) * tl.exp(_lanczos(1.0 - z)))
    return tl.where(z < 0.5, turned, tl.exp(_lanczos(z))).to(x.dtype)


def erfinv(x):
    y = x.to(tl.float64)
    w = tl.log((1.0 - y) * (1.0 + y))
    a = 4.330746750799873 + 0.5 * w
    z = tl.sqrt(tl.sqrt(a * a - w * 6.802721088435375) - a)
    z = tl.where(y < 0.0, -z, z)
    for _ in tl.static_range(3):
        e = (tl.erf(z) - y) * tl.exp(z * z) * 0.886226925452758
        z = tl.where(tl.abs(y) < 1.0, z - e / (1.0 + z * e), z)
    return tl.where(tl.abs(y) == 1.0, y * float("inf"), z).to(x.dtype)


def erfcinv(x):
    return erfinv(1.0 - x)


def _unpacked(x, form, axis):
    """Elements of a format that microscaling has, as numbers."""
    if form == "e2m1":  # two in a byte, the lower half first
        if axis == 1:
            both = tl.interleave(x & 15, (x >> 4) & 15)
        else:
            both = tl.trans(tl.interleave(tl.trans(x & 15), tl.trans((x >> 4) & 15)))
        size = (both & 7).to(tl.int32)
        value = tl.where(size < 2, size * 0.5, (1 + (size & 1) * 0.5) * tl.exp2(((size >> 1) - 1).to(tl.float32)))
        return tl.where(both > 7, -value, value)
    if form == "e5m2" and x.dtype.primitive_bitwidth == 8:
        return x.to(tl.float8e5, bitcast=True).to(tl.float32)
    if form == "e4m3" and x.dtype.primitive_bitwidth == 8:
        return x.to(tl.float8e4nv, bitcast=True).to(tl.float32)
    tl.static_assert(form == "bf16" or form == "fp16", "tl.dot_scaled: the format is e2m1, e4m3, e5m2, bf16 or fp16")
    return x.to(tl.float32)


def _scales(s, groups: tl.constexpr, size: tl.constexpr):
    """Powers of two, each for a group of 32 elements of a row."""
    rows: tl.constexpr = s.shape[0]
    power = tl.where(s == 255, float("nan"), tl.exp2(s.to(tl.float32) - 127.0))
    return tl.reshape(tl.broadcast_to(power[:, :, None], rows, groups, size // groups), rows, size)


def dot_scaled(lhs, lhs_scale, lhs_format, rhs, rhs_scale, rhs_format, acc=None, fast_math=False, lhs_k_pack=True, rhs_k_pack=True,
               out_dtype=tl.float32):
    tl.static_assert(lhs_k_pack and rhs_k_pack, "tl.dot_scaled: elements of e2m1 are packed along K")
    x = _unpacked(lhs, lhs_format, 1)
    y = _unpacked(rhs, rhs_format, 0)
    if lhs_scale is not None:
        x = x * _scales(lhs_scale, lhs_scale.shape[1], x.shape[1])
    if rhs_scale is not None:
        y = y * tl.trans(_scales(rhs_scale, rhs_scale.shape[1], y.shape[0]))
    z = tl.dot(x, y, input_precision="ieee")
    if acc is not None:
        z = acc + z
    return z.to(out_dtype)
