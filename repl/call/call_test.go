package call

import (
	"strings"
	"testing"
)

// TestLine: launches as Python writes them, and what is none.
func TestLine(t *testing.T) {
	params := []string{"x", "out", "n", "BLOCK"}
	for _, c := range [][]string{
		{"add[2](x, out, 8, 4)", "add", "2", "x, out, 8, 4"},
		{"add[(2,)](x, out, n=8, BLOCK=4)", "add", "2", "x, out, 8, 4"},
		{" add[(2, 3)](x, out.Slice(0, 1, 2), BLOCK=4, n=1+1) ", "add", "2, 3", "x, out.Slice(0, 1, 2), 1+1, 4"},
		{`add[2](x, "a=b,c", 8, 4)`, "add", "2", `x, "a=b,c", 8, 4`},
		{"x[2]"}, {"f(x)"}, {"a[1](2)(3)"}, {"y := add[2](x)"}, {"add[2"},
		{"add[2](x, BLOCK=4)", "", "", "no argument for out"},
		{"add[2](m=4)", "", "", "there is no parameter m"},
		{"add[2](x, BLOCK=4, n)", "", "", "n stands behind an argument by name"},
	} {
		name, grid, args, ok := Line(c[0])
		if ok != (len(c) > 1) {
			t.Errorf("%s: %v", c[0], ok)
		}
		if !ok {
			continue
		}
		args, err := Positional(args, params)
		switch {
		case c[1] == "" && (err == nil || !strings.Contains(err.Error(), c[3])):
			t.Errorf("%s: %v, want %s", c[0], err, c[3])
		case c[1] != "" && (err != nil || name != c[1] || grid != c[2] || args != c[3]):
			t.Errorf("%s: %s, %s, %s, %v", c[0], name, grid, args, err)
		}
	}
}
