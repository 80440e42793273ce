"""A script that says "cuda" runs with PyTorch's tensors of the CPU."""
import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def scale_kernel(x, out, n, by, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, (tl.load(x + i, mask=i < n) * by).to(out.dtype.element_ty), mask=i < n)


def scale(x, by, out=None):
    assert x.is_cuda and x.is_contiguous()
    out = torch.empty_like(x) if out is None else out
    n = x.numel()
    with torch.cuda.device(x.device):
        scale_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, out, n, by, BLOCK=1024)
    return out


torch.manual_seed(0)
torch.cuda.manual_seed(0)
for n in (5, 300_000):
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        x = torch.randn(n, device="cuda", dtype=dtype)
        out = torch.empty_like(x)
        for _ in range(3):
            assert torch.equal(scale(x, 2.0, out), x + x)
        assert torch.equal(scale(x, 2.0), x + x)
x = torch.arange(12, device=torch.device("cuda:0"), dtype=torch.float32).reshape(3, 4)
assert torch.equal(scale(x[1], 3.0), 3 * x[1])
storage = torch.zeros(300_000, device=DEVICE)
for _ in range(3):
    scale(storage[100:], 1.0, storage[100:])
storage += 1
assert storage[100] == 1 and scale(storage, 5.0)[0] == 5
shared = storage.numpy()
shared[0] = 7
assert scale(storage, 1.0)[0] == 7
a, b = (torch.ones(8, 8, dtype=torch.float16).cuda() for _ in range(2))
assert (a @ b).dtype == torch.float16 and (a @ b)[0, 0] == 8
layer = torch.nn.Linear(4, 4).cuda().to("cuda")
assert layer(torch.ones(1, 4).to("cuda")).shape == (1, 4)
seed, offset = torch.cuda.default_generators[0].get_state().view(torch.int64)
assert (seed, offset) == (0, 0)
start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
start.record()
end.record()
torch.cuda.synchronize()
assert start.elapsed_time(end) >= 0
y = x.clone().requires_grad_()
scale(y.detach(), 2.0)
try:
    scale_kernel[(1,)](torch.empty(1 << 40, device="meta"), torch.empty(1 << 40, device="meta"), 1 << 40, 1.0, BLOCK=1024)
except triton.TilerError as e:
    assert "virtual" in str(e)
print("fine")
