package exec_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// keptMask has a mask that several accesses share, of which a part is known before the rest is computed.
func keptMask(p *tl.Program, x, ids, z tl.Ptr, n, d int, HOW, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := i.Lt(n)
	id := tl.Load(ids.Add(i), tl.Mask(in), tl.Other(3))
	q := i.Mul(7).Add(3)
	m := tl.Mask(in.And(q.FloorDiv(d).Mod(5).Lt(3).Xor(q.Mod(11).Gt(4))))
	switch HOW {
	case 0:
		a := tl.Load(x.Add(id), m)
		b := tl.Load(x.Add(i.Mul(37).Mod(101)), m)
		tl.Store(z.Add(i.Mul(3)), a.Add(b), m)
	case 1:
		a := tl.Load(x.Add(id), m)
		tl.Store(z.Add(i), a, m)
		tl.Store(z.Add(i.Add(2*n)), a, m)
		tl.AtomicAdd(z.Add(id), 1.0, m)
	case 2:
		tl.Store(z.Add(id.Mul(2)), 5.0, m)
		tl.AtomicAdd(z.Add(q.FloorDiv(d)), 1.0, m)
		tl.AtomicAdd(z.Add(q.Mod(d)), 1.0, m)
	case 3:
		w := q.FloorDiv(d).Add(id.Mul(0))
		tl.Store(z.Add(w), 5.0, m)
		tl.Store(z.Add(w.Mul(2)), 5.0, m)
	}
}

// TestKeptMask: a mask that lies in memory is right in all lanes, whatever lay there before.
func TestKeptMask(t *testing.T) {
	launch := func(o exec.Options, n, size int, how, block int) ([]*tensor.Tensor, error) {
		ids, z := tensor.Zeros(tl.Int32, max(n, 1)), tensor.Zeros(tl.Float32, size)
		for k := range n {
			ids.Set((k*7+3)%n, k)
		}
		x := tensor.Rand(1, tl.Float32, 300)
		return []*tensor.Tensor{z}, exec.New(keptMask, o).Launch(exec.Grid{1}, x, ids, z, n, 3, how, block)
	}
	for how := range 4 {
		for _, block := range []int{64, 100, 256, 512} {
			for _, n := range []int{0, 1, 7, 40, 63, 99, 130} {
				sameInEngines(t, func(o exec.Options) ([]*tensor.Tensor, error) {
					o.Workers = 1
					if _, err := launch(o, 250, 4000, how, block); err != nil {
						return nil, err
					}
					return launch(o, n, 1000, how, block)
				})
			}
		}
	}
}
