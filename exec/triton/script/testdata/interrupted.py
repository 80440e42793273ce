"""A launch that does not end is ended by an interrupt, and others go on."""
import array
import os
import signal
import threading

import triton
import triton.language as tl


@triton.jit
def wait(x):
    while tl.load(x) == 0.0:
        pass


@triton.jit
def one(x):
    tl.store(x, 1.0)


x = array.array("f", [0])
one[(1,)](x)
x[0] = 0
threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    wait[(1,)](x)
except KeyboardInterrupt:
    print("interrupted", flush=True)
one[(1,)](x)
print(x[0], flush=True)
os.kill(os.getpid(), signal.SIGKILL)
