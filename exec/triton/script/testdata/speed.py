"""Times launches: of a product of N x N matrices, or of next to nothing."""
import sys
import time

import numpy as np
import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for i in range(0, K, BK):
        k = i + tl.arange(0, BK)
        x = tl.load(a + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        y = tl.load(b + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        acc += tl.dot(x, y)
    tl.store(c + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def add(a, b, c, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(c + i, tl.load(a + i, mask=i < n) + tl.load(b + i, mask=i < n), mask=i < n)


n = int(sys.argv[1])
rng = np.random.default_rng(1)
a, b, c = (rng.random((n or 256, n or 256), dtype=np.float32) for _ in range(3))
times = []
for _ in range(60 if n else 3000):
    start = time.perf_counter()
    if n:
        matmul[(triton.cdiv(n, 64), triton.cdiv(n, 64))](a, b, c, n, n, n, BM=64, BN=64, BK=32)
    else:
        add[(1,)](a, b, c, 1024, BLOCK=1024)
    times.append(time.perf_counter() - start)
print(*times)
