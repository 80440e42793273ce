import triton
import triton.language as tl

TABLE = {"a": 1}


@triton.jit
def assembly(x, n):
    v = tl.load(x)
    tl.store(x, tl.inline_asm_elementwise("mov $0, $1;", "=r,r", [v], tl.float32, True, 1))  # ERROR instructions of a GPU


@triton.jit
def unknown_function(x, n):
    tl.store(x, tl.warp_shuffle(n))  # ERROR tl.warp_shuffle: the language has nothing of this name


@triton.jit
def not_defined(x, n):
    tl.store(x, m)  # ERROR m is not defined here


@triton.jit
def not_known(x, n):
    tl.store(x + tl.arange(0, n), 0)  # ERROR must be known before the kernel runs


@triton.jit
def one_sided(x, n):
    if n > 3:
        y = 1
    tl.store(x, y)  # ERROR y is bound on one side of an if only


@triton.jit
def changes(x, n):
    acc = 0
    for i in range(n):
        acc += tl.load(x + i)  # ERROR acc is i32 before the loop and f32 after a round of it


@triton.jit
def two_shapes(x, n):
    if n > 3:
        y = tl.arange(0, 4)
    else:
        y = tl.arange(0, 8)
    tl.store(x, tl.sum(y))  # ERROR y is i32[4] after one side of an if and i32[8] after the other


@triton.jit
def breaks(x, n):
    for i in range(n):
        break  # ERROR break: not possible in a kernel


@triton.jit
def tile_condition(x, n):
    v = tl.load(x + tl.arange(0, 4))
    if v > 0:  # ERROR a condition must be a single bool, not bool[4]
        tl.store(x, 1)


@triton.jit
def dictionary(x, n):
    tl.store(x, TABLE["a"])  # ERROR cannot be indexed


@triton.jit
def shapes(x, n):
    tl.store(x + tl.arange(0, 4), tl.arange(0, 4) + tl.arange(0, 8))  # ERROR do not broadcast


@triton.jit
def comprehension(x, n):
    y = {i: 1 for i in range(4)}  # ERROR a comprehension: not possible in a kernel


@triton.jit
def returns_early(x, n):
    for i in range(n):
        if i > 3:
            return  # ERROR return within a loop


@triton.jit
def inner(x, n):
    return tl.trans(n)  # ERROR fewer than two dimensions


@triton.jit
def called(x, n):
    tl.store(x, helper(n))


def helper(n):
    return tl.load(n)  # ERROR is not a pointer tile


@triton.jit
def pointers(x, n):
    y = x.to(tl.int64)  # ERROR a pointer as a number
    tl.store(x, y)


@triton.jit
def only_inside(x, n):
    for i in range(n):
        y = i
    tl.store(x, y)  # ERROR y is bound only within the loop


@triton.jit
def wrong_argument(x, n):
    tl.load(x, masks=n > 1)  # ERROR tl.load has no argument masks


@triton.jit
def too_big(x, n):
    v = tl.load(x + tl.arange(0, 4)).to(tl.int8)
    tl.store(x, tl.sum(v + 300))  # ERROR does not fit int8


def either(a, b):
    for i in tl.static_range(2):
        if a > b:  # ERROR if in a combining function: it only computes
            a = b
    return a


@triton.jit
def combines(x, n):
    v = tl.load(x + tl.arange(0, 4))
    tl.store(x, tl.reduce(v, 0, either))


@triton.jit
def reads(x, n):
    v = tl.load(x + tl.arange(0, 4))
    tl.store(x, tl.reduce(v, 0, lookup))


def lookup(a, b):
    return a + tl.load(b)  # ERROR is not a pointer tile
