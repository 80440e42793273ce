import triton
import triton.language as tl

FACTOR = len("abc")


@triton.jit
def scaled(x):
    return x * FACTOR


@triton.jit
def plus_one(x):
    return x + 1
