package exec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/cpu"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// finished is a product and one of many things that are done with its sums: WHAT says which. Operands are int8, or
// bfloat16 that are multiplied in tiles.
func finished(p *tl.Program, x, y, rowScale, colScale, bias, rest, out tl.Ptr, M, N, K, ldOut, ldRest int,
	alpha float64, IN, AS tl.DType, BM, BN, BK, WHAT tl.Const) {
	rows := tl.Arange(0, BM).Add(p.ID(0) * BM)
	cols := tl.Arange(0, BN).Add(p.ID(1) * BN)
	k := tl.Arange(0, BK)
	inRows, inCols := tl.Mask(rows.Lt(M)), tl.Mask(cols.Lt(N))
	inside := tl.Mask(rows.Col().Lt(M).And(cols.Row().Lt(N)))
	acc := tl.Zeros(tl.Float32, BM, BN)
	if IN == tl.Int8 {
		acc = tl.Zeros(tl.Int32, BM, BN)
	}
	for i := range tl.Cdiv(K, BK) {
		kk := k.Add(i * BK)
		inA, inB := rows.Col().Lt(M).And(kk.Row().Lt(K)), kk.Col().Lt(K).And(cols.Row().Lt(N))
		a := tl.Load(x.Add(rows.Col().Mul(K).Add(kk.Row())), tl.Mask(inA), tl.Other(0))
		b := tl.Load(y.Add(kk.Col().Mul(N).Add(cols.Row())), tl.Mask(inB), tl.Other(0))
		if IN == tl.Int8 {
			acc = acc.Add(tl.Dot(a, b))
		} else {
			acc = tl.Dot(a, b, tl.Acc(acc), tl.BF16Tiles)
		}
	}
	r := tl.Load(rowScale.Add(rows), inRows, tl.Other(0)).Col()
	c := tl.Load(colScale.Add(cols), inCols, tl.Other(0)).Row()
	v := acc.To(tl.Float32)
	switch WHAT {
	case 0:
		v = v.Mul(r).Mul(c)
	case 1:
		v = v.Mul(alpha).Mul(r).Mul(c)
		v = tl.Maximum(v.Add(tl.Load(bias.Add(cols), inCols, tl.Other(0)).Row()), 0)
	case 2:
		more := tl.Load(rest.Add(rows.Col().Mul(ldRest).Add(cols.Row())), inside)
		v = v.Mul(r).Add(more.To(tl.Float32)).Sub(c)
	case 3:
		v = v.Mul(c).Add(r).Mul(tl.Load(rowScale))
		v = v.Mul(tl.Sigmoid(v))
	case 4:
		v = tl.Where(v.Gt(0), v, v.Mul(r)).Sub(tl.Exp(c).Div(3))
	case 5:
		v = tl.Minimum(v.Neg().Div(c), tl.Abs(v)).To(tl.Float16).To(tl.Float32).Mul(r)
	case 6: // more than the kernel takes on its way
		for range 5 {
			v = v.Mul(r).Sub(c).Add(alpha)
		}
	}
	to := out.Add(rows.Col().Mul(ldOut).Add(cols.Row()))
	if WHAT == 7 {
		tl.Store(to, acc, inside)
		return
	}
	tl.Store(to, v.To(AS), inside)
}

// TestFinishedSums: what is done with a product's sums is the same where it is done as they move from tiles to the
// result: at edges of tiles, of blocks and of the parts of a chain, and to views with gaps.
func TestFinishedSums(t *testing.T) {
	sizes := [][3]int{{64, 64, 64}, {32, 32, 16}, {33, 65, 70}, {160, 96, 1100}, {31, 300, 5}, {130, 330, 130},
		{96, 64, 2100}, {1, 70, 40}}
	for i, in := range []tl.DType{tl.Int8, tl.BFloat16} {
		for what := range 8 {
			for j, s := range sizes {
				outs := []tl.DType{tl.Float32, tl.Float16, tl.BFloat16}
				as := outs[(i+what+j)%len(outs)]
				if what == 7 {
					as = map[tl.DType]tl.DType{tl.Int8: tl.Int32, tl.BFloat16: tl.Float32}[in]
				}
				t.Run(fmt.Sprint(in, what, s, as), func(t *testing.T) { compareFinished(t, in, as, what, s) })
			}
		}
	}
}

// TestFinishedInTiles: what there is of that in machine code, where the processor has tiles.
func TestFinishedInTiles(t *testing.T) {
	if !cpu.AVX512.Available() || !cpu.Tiles(cpu.HasAMXINT8) {
		t.Skip("no tiles of int8 here")
	}
	for what := range 8 {
		x, y, f := tensor.Zeros(tl.Int8, 1, 1), tensor.Zeros(tl.Int8, 1, 1), tensor.Zeros(tl.Float32, 1, 1)
		out := f
		if what == 7 {
			out = tensor.Zeros(tl.Int32, 1, 1)
		}
		in, err := exec.New(finished).Inspect(x, y, f, f, f, f, out, 1, 1, 1, 1, 1,
			0.37, tl.Int8, out.DType(), 64, 32, 32, what)
		if err != nil {
			t.Fatal(err)
		}
		code, err := in.Code(cpu.AVX512)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Contains(code, "makes results of the sums as they move"), what < 6; got != want {
			t.Errorf("%d: results are made of sums as they move: %v, want %v", what, got, want)
		}
	}
}

func compareFinished(t *testing.T, in, as tl.DType, what int, s [3]int) {
	m, n, k := s[0], s[1], s[2]
	number := func(seed int, d tl.DType, shape ...int) *tensor.Tensor { return tensor.Generate(seed, d, shape...) }
	x, y := number(1, in, m, k), number(2, in, k, n)
	wideOr := func(d tl.DType, i int) tl.DType { return []tl.DType{tl.Float32, d}[i%2] }
	rowScale, colScale := number(3, tl.Float32, m), number(4, wideOr(tl.BFloat16, m), n)
	bias, rest := number(5, wideOr(tl.Float16, n), n), number(6, wideOr(tl.BFloat16, m+k), m, n+3)
	sameInEngines(t, func(o exec.Options) ([]*tensor.Tensor, error) {
		whole := tensor.Full(as, 7, m, n+5)
		out := whole.Slice(1, 2, n+2)
		err := exec.New(finished, o).Launch(exec.Grid{tl.Cdiv(m, 64), tl.Cdiv(n, 32)},
			x, y, rowScale, colScale, bias, rest.Slice(1, 0, n), out, m, n, k, n+5, n+3,
			0.37, in, as, 64, 32, 32, what)
		return []*tensor.Tensor{whole}, err
	})
}

// addedNumber is a product of int8 to which a number is added that may not fit, or is refused.
func addedNumber(p *tl.Program, x, y, out tl.Ptr, n, number int, SIZE, EACH tl.Const) {
	i := tl.Arange(0, SIZE)
	if EACH == 0 {
		p.Assert(number != 7, "no seven")
	}
	acc := tl.Zeros(tl.Int32, SIZE, SIZE)
	for k := range tl.Cdiv(n, SIZE) {
		if EACH == 1 {
			p.Assert(k*number != 7, "no seven")
		}
		a := tl.Load(x.Add(i.Col().Mul(n).Add(i.Row().Add(k * SIZE))))
		acc = acc.Add(tl.Dot(a, tl.Load(y.Add(i.Col().Add(k*SIZE).Mul(SIZE).Add(i.Row())))))
	}
	tl.Store(out.Add(i.Col().Mul(SIZE).Add(i.Row())), acc.Add(number))
}

// TestNumberBeyondProduct: a product whose epilogue takes a number that must not be fails as it does elsewhere.
func TestNumberBeyondProduct(t *testing.T) {
	x, y := tensor.Zeros(tl.Int8, 64, 128), tensor.Zeros(tl.Int8, 128, 64)
	for _, e := range exec.Engines() {
		for i, number := range []int{5, 7, 1 << 31, -1<<31 - 1, 5, 7} {
			out := tensor.Zeros(tl.Int32, 64, 64)
			k := exec.New(addedNumber, exec.Options{Engine: e})
			err := k.Launch(exec.Grid{1}, x, y, out, 128, number, 64, i/4)
			if ok := number == 5; (err == nil) != ok {
				t.Errorf("%s, %d: error %v, want one: %v", e, number, err, !ok)
			}
		}
	}
}
