package jupyter

import (
	"strings"
	"testing"
)

// TestSugar: what Go's compiler says of a cell that the prompt would take, and what to write.
func TestSugar(t *testing.T) {
	for _, c := range []struct{ message, line, want string }{
		{"syntax error: unexpected comma, expected expression",
			"g := a[:, None] + b[None, :]", "a[:, None] is a.Col()"},
		{"expected operand, found ','", "g := a.Col().Add(b[None, :])", "b[None, :] is b.Row()"},
		{"invalid operation: operator + not defined on a (variable of struct type tilelang.Tile)",
			"a + b", "a + b of tiles is a.Add(b)"},
		{"invalid operation: operator & not defined on m (variable of struct type tilelang.Tile)",
			"m & k", "a & b of tiles is a.And(b)"},
		{"invalid operation: o * 2 (mismatched types tilelang.Tile and untyped int)",
			"tl.Load(x.Add(o * 2))", "o * 2 is o.Mul(2)"},
		{"invalid operation: 2 * a (mismatched types untyped int and tilelang.Tile)",
			"2 * a", "2 * a is a.Mul(2)"},
		{"invalid operation: 2 - a (mismatched types untyped int and tilelang.Tile)",
			"2 - a", "2 - a is tl.Sub(2, a)"},
		{"invalid operation: 3 < a (mismatched types untyped int and tilelang.Tile)",
			"3 < a", "3 < a is a.Gt(3)"},
		{"cannot index k (value of type func(p *tilelang.Program, x tilelang.Ptr))",
			"k[2](a)", "k[2](…) is exec.New(k).Launch(exec.Grid{2}, …)"},
		{"syntax error: unexpected literal 2, expected ]",
			"k[2, 2](a)", "k[2, 2](…) is exec.New(k).Launch(exec.Grid{2, 2}, …)"},
		{"syntax error: unexpected :, expected }",
			":check k[2](a)", "no commands such as :check"},
		{"undefined: tl.Stor", "tl.Stor(x, v)", ""},
		{"invalid operation: operator + not defined on m (variable of type map[int]int)",
			"m + m", ""},
	} {
		if got := sugarHint(c.message, c.line); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.message, got, c.want)
		}
	}
}
