package spell

import "testing"

func TestSpell(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{"tl.Load: lane [0] of [64] is x[70], 1 element past the end of x", "tl.load: lane [0] of [64] is x[70], 1 element past the end of x"},
		{"mask the lanes beyond the tensor's edge: tl.Mask(offs.Lt(n))", "mask the lanes beyond the tensor's edge: mask=offs < n"},
		{"mask the lanes beyond the tensor's edge: tl.Mask(i.Lt(N))", "mask the lanes beyond the tensor's edge: mask=i < N"},
		{"mask this index with its own size, too: rn.Row().Lt(N)", "mask this index with its own size, too: rn[None, :] < N"},
		{"have the block padded: b.Load(tl.BoundaryCheck(0), tl.PadZero)", `have the block padded: tl.load(b, boundary_check=(0,), padding_option="zero")`},
		{"have the block's edges checked: dst.Store(..., tl.BoundaryCheck(0, 1))", "have the block's edges checked: tl.store(dst, ..., boundary_check=(0, 1))"},
		{"give tl.MakeDesc the shape of y: []int{M, 40}", "give tl.make_tensor_descriptor the shape of y: [M, 40]"},
		{"Tile.Mul overflows int32 and is used as an address: lane [0] of tl.AtomicAdd", "* overflows int32 and is used as an address: lane [0] of tl.atomic_add"},
		{"compute it in 64 bits: offs.To(tl.Int64).Mul(stride)", "compute it in 64 bits: offs.to(tl.int64) * stride"},
		{"Tile.FloorDiv: division by zero: i32 by i32", "//: division by zero: i32 by i32"},
		{"convert first: x.To(tl.BFloat16)", "convert first: x.to(tl.bfloat16)"},
		{"tl.Maximum, tl.Sort and Tile.Neg", "tl.maximum, tl.sort and -"},
		{"for all pairs of the two, make one a column and one a row: x.Col() and y.Row()", "for all pairs of the two, make one a column and one a row: x[:, None] and y[None, :]"},
		{"reduce it first, for example with tl.Sum or tl.Max", "reduce it first, for example with tl.sum or tl.max"},
	} {
		if got := Text(c.got); got != c.want {
			t.Errorf("%q is %q, want %q", c.got, got, c.want)
		}
	}
}
