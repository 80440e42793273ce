package portable_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/exec/kerneltest/random"
	"github.com/tiler-go/tiler/exec/portable"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

// TestWorkers runs one program in several workers at once, which share a counter.
func TestWorkers(t *testing.T) {
	f := ir.MustParse(`func k(v1 *f32 "x", v2 *i32 "count", v3 *bf16 "sum") "k.go" {
  v10 i64 = program_id
  v11 i64 = const 64
  v12 i64 = mul v10 v11
  v13 *f32 = ptradd v1 v12
  v14 *f32[64] = broadcast v13
  v15 i32[64] = arange
  v16 i64[64] = cast v15
  v17 *f32[64] = ptradd v14 v16
  v18 f32[64] = load v17
  v19 f32[64] = exp v18
  v20 f32[64] = sort v19
  store v17 v20
  v21 i32 = const 1
  v22 i32 = atomic_add v2 v21
  v23 bf16 = const 0x3f80(1)
  v24 bf16 = atomic_add v3 v23
  return
}`)
	p, err := portable.Compile(f)
	if err != nil {
		t.Fatal(err)
	}
	const programs = 200
	var worlds [2]*kerneltest.World
	for i := range worlds {
		worlds[i] = kerneltest.NewWorld(2)
		worlds[i].Add(dtype.Float32, 64*programs)
		worlds[i].AddBits(dtype.Int32, 1, func(int) uint64 { return 0 })
		worlds[i].AddBits(dtype.BFloat16, 1, func(int) uint64 { return 0 })
	}
	grid := [3]int{programs, 1, 1}
	p.NewWorker().Run(&portable.Launch{Args: worlds[0].IRArgs(), Grid: grid}, 0, programs)
	l := &portable.Launch{Args: worlds[1].IRArgs(), Grid: grid}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			w := p.NewWorker()
			for {
				lo := int(next.Add(5)) - 5
				if lo >= programs {
					return
				}
				if fail := w.Run(l, lo, min(lo+5, programs)); fail != nil {
					t.Error(fail)
				}
			}
		})
	}
	wg.Wait()
	if s := kerneltest.Differ(kerneltest.Outcome{}, kerneltest.Outcome{}, worlds[1], worlds[0]); s != "" {
		t.Errorf("%s\n%s", s, f)
	}
	if n := worlds[1].Args[1].(*tensor.Tensor).Buf().Bits(0); n != programs {
		t.Errorf("%d programs counted, want %d", n, programs)
	}
}

// TestStop ends a program that would run for ever, and keeps others from starting.
func TestStop(t *testing.T) {
	for _, body := range []string{
		`loop {
    continue
  }`,
		`v10 i64 = const 0
  v11 i64 = const 9223372036854775807
  for v10 v11 #1 {
    (v12 i64)
    yield
  }`,
	} {
		f := ir.MustParse(`func k(v1 *i32 "x") "k.go" {
  v2 i32 = const 1
  v3 i32 = atomic_add v1 v2
  ` + body + `
  return
}`)
		if err := ir.Verify(f); err != nil {
			t.Fatal(err)
		}
		p, err := portable.Compile(f)
		if err != nil {
			t.Fatal(err)
		}
		// The first program does not end, so any time after its beginning will do; on a busy
		// machine that may be late.
		var mem dtype.Buf
		var l *portable.Launch
		w := p.NewWorker()
		for after := 5 * time.Millisecond; after < 20*time.Second; after *= 4 {
			mem = dtype.NewBuf(dtype.Int32, 1)
			l = &portable.Launch{Args: []ir.Arg{{Mem: mem}}, Grid: [3]int{5, 1, 1}, Stop: new(atomic.Bool)}
			time.AfterFunc(after, func() { l.Stop.Store(true) })
			if fail := w.Run(l, 0, 5); fail != nil {
				t.Error(fail)
			}
			if mem.Bits(0) != 0 {
				break
			}
		}
		if n := mem.Bits(0); n != 1 {
			t.Errorf("%d programs began, want 1", n)
		}
		if w.Run(l, 0, 5); mem.Bits(0) != 1 {
			t.Error("a program began after the launch was stopped")
		}
	}
}

// TestNoAllocation checks that running instances takes no memory.
func TestNoAllocation(t *testing.T) {
	for _, l := range []launch{
		vecaddLaunch(5000), matmulLaunch("matmul", dtype.Float32, 32, 32, 64), matmulLaunch("matmul16", dtype.Float16, 32, 32, 64),
		softmaxLaunch(2, 1000), layernormLaunch(2, 1000), attentionLaunch(64),
	} {
		p, err := portable.Compile(kernelFile(t, l.file))
		if err != nil {
			t.Fatal(err)
		}
		w := kerneltest.NewWorld(2)
		l.args(w)
		run, k := &portable.Launch{Args: w.IRArgs(), Grid: l.grid}, p.NewWorker()
		if n := testing.AllocsPerRun(20, func() { k.Run(run, 0, kerneltest.Instances(l.grid)) }); n != 0 {
			t.Errorf("%s: %v allocations", l.name, n)
		}
	}
	for seed := range uint64(100) {
		w := kerneltest.NewWorld(seed)
		random.Args(seed)(w)
		p, err := portable.Compile(random.Kernel(seed))
		if err != nil {
			t.Fatal(err)
		}
		run, k := &portable.Launch{Args: w.IRArgs(), Grid: [3]int{2, 1, 1}}, p.NewWorker()
		fails := k.Run(run, 0, 2) != nil
		if n := testing.AllocsPerRun(3, func() { k.Run(run, 0, 2) }); n > 1 || n == 1 && !fails {
			t.Errorf("kernel %d: %v allocations", seed, n)
		}
	}
}
