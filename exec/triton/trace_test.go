package triton_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/trace"
	"github.com/tiler-go/tiler/exec/triton"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// traced is a kernel with a block pointer that a loop carries, a helper, a reduction and constants.
const traced = `import triton
import triton.language as tl

@triton.jit
def half(v):
    z = v * 0.5
    return z

@triton.jit
def sums(x, out, n, B: tl.constexpr):
    row = tl.program_id(0)
    p = q = tl.make_block_ptr(x + row * n, (n,), (1,), (0,), (B,), (0,))
    acc, kind = tl.zeros((B,), tl.float32), "sum"
    for i in range(0, n, B):
        p, t = tl.advance(p, (B,)), (i, None)
        acc += half(tl.load(p, boundary_check=(0,)))
    for k in tl.static_range(2):
        acc += k
    tl.store(out + row,
             tl.sum(acc))
`

// TestTrace: a trace names Python's lines and variables.
func TestTrace(t *testing.T) {
	f, err := triton.Parse("sums.py", traced)
	if err != nil {
		t.Fatal(err)
	}
	k, err := f.Kernel("sums")
	if err != nil {
		t.Fatal(err)
	}
	x, out := tensor.Arange(tl.Float32, 0, 8).Reshape(2, 4), tensor.Zeros(tl.Float32, 2)
	z, rest, err := k.Specialize(x, out, 4, 2)
	if err != nil {
		t.Fatal(err)
	}
	r, ctx := trace.NewRecorder("sums.py", traced, trace.Limits{}), context.Background()
	err = r.Launch(ctx, trace.Run{
		Kernel: "sums", Args: rest,
		Observe: func(o exec.Observer) error { return z.Observe(ctx, o, exec.Grid{2}, rest...) },
	})
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, s := range r.Trace().Launches[0].Instances[1].Steps {
		fmt.Fprint(&got, s.Line)
		for _, v := range s.Vars {
			fmt.Fprintf(&got, " %s=%s", v.Name, v.Values)
		}
		for _, a := range s.Accesses {
			fmt.Fprint(&got, " ", a.Op)
		}
		got.WriteString("\n")
	}
	const want = `11 row=1
12 p.offsets[0]=0 q.offsets[0]=0
13 acc=0,0 kind="sum"
14 i=0
15 p.offsets[0]=2 t[0]=0 t[1]=nil
16 tl.Load
6 z=3,3.5
16 acc=3,3.5
14 i=2
15 p.offsets[0]=4 t[0]=2 t[1]=nil
16 tl.Load
6 z=0,0
16 acc=3,3.5
17 k=0
18 acc=3,3.5
17 k=1
18 acc=4,4.5
19 tl.Store
`
	if got.String() != want {
		t.Errorf("got\n%s", got.String())
	}
}
