"""Launches of all lengths and pauses, from several threads: whoever looks, sleeps or is woken, each has its answer."""
import random
import threading
import time
from array import array

import triton
import triton.language as tl


@triton.jit
def more(x, n, ROUNDS: tl.constexpr):
    v = tl.load(x)
    for _ in range(n):
        for _ in tl.static_range(ROUNDS):
            v = v * 1.0 + 1.0
    tl.store(x, v)


@triton.jit
def show(x):
    for i in range(1500):
        print("the number of the round is", i, tl.load(x))


def work(seed, count):
    r, x, want = random.Random(seed), array("f", [0.0]), 0
    for _ in range(count):
        end = time.perf_counter() + r.choice((0, 0, 1e-4, r.random() * 3e-4))
        while time.perf_counter() < end:
            pass
        n = r.choice((1, 2, 10, 3000))
        more[(1,)](x, n, 1)
        want += n
        assert x[0] == want, (seed, x[0], want)


work(0, 120)
threads = [threading.Thread(target=work, args=(seed, 25)) for seed in range(1, 4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
show[(1,)](array("f", [1.0]))  # more than the mailbox holds
work(5, 20)
print("fine")
