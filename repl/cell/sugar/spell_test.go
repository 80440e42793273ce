package sugar

import (
	"testing"

	"github.com/tiler-go/tiler/tilelang/diag"
)

// TestSpell: advice to a cell is in operators.
func TestSpell(t *testing.T) {
	for _, x := range []struct{ fix, want string }{
		{"mask the lanes beyond the tensor's edge: tl.Mask(offs.Lt(n))", "mask the lanes beyond the tensor's edge: tl.Mask(offs < n)"},
		{"mask this index with its own size, too: j.Row().Lt(cols)", "mask this index with its own size, too: j[None, :] < cols"},
		{"mask this index with its own size, too: i.Col().Lt(20)", "mask this index with its own size, too: i[:, None] < 20"},
		{"compute it in 64 bits: offs.To(tl.Int64).Mul(stride)", "compute it in 64 bits: offs.To(tl.Int64) * stride"},
		{"tl.Where(mask, x, 0)", "tl.Where(mask, x, 0)"},
	} {
		d := diag.Diagnostic{Fixes: []string{x.fix}}
		if Spell(&d); d.Fixes[0] != x.want {
			t.Errorf("%s: got %s, want %s", x.fix, d.Fixes[0], x.want)
		}
		d = diag.Diagnostic{Pos: diag.Pos{File: "k.go", Line: 1}, Fixes: []string{x.fix}}
		if Spell(&d); d.Fixes[0] != x.fix {
			t.Errorf("in a file of Go: %s became %s", x.fix, d.Fixes[0])
		}
	}
}
