package cell

import (
	"strings"
	"testing"
)

func TestComplete(t *testing.T) {
	c := newConsole(t)
	c.mustEval(t, "type point struct{ X, Y int }\nfunc (p point) Len() int { return p.X }\nfunc helper(n int) int { return n }\nvar offs = tl.Arange(0, 4)\npt := &point{}\nhelping := 3")
	for _, x := range []struct {
		src  string // ‸ is the cursor
		want string // some of the candidates; -name: not this one
	}{
		{"hel‸", "helper helping"},
		{"tl.Ar‸", "Arange ArgMax"},
		{"x := tl.Lo‸", "Load Log"},
		{"offs.‸", "Add Col Mul Row Shape"},
		{"offs.A‸", "Add And"},
		{"pt.‸", "X Y Len"},
		{"(offs + 1).R‸", "Reshape Row"},
		{"offs[:, None].C‸", "Col"},
		{"tl.Load(offs.Add(off‸", "offs"},
		{"func k(p *tl.Program, x tl.Ptr, BLOCK tl.Const) {\n\tidx := tl.Arange(0, BLOCK)\n\tp.‸", "ID Num Print Line"},
		{"func k(p *tl.Program, x tl.Ptr, BLOCK tl.Const) {\n\tidx := tl.Arange(0, BLOCK)\n\tid‸", "idx"},
		{"func k(p *tl.Program, x tl.Ptr) {\n\tfor i := range 4 {\n\t\ty := x + i\n\t\ty.Col‸", "Col"},
		{"re‸", "return real recover"},
		{"tl.ar‸", "Arange"},
		{"math.Sq‸", "Sqrt"},
		{"exec.‸", "New Grid GridFn"},
		{"\"offs.‸", "-Add"},
		{"// hel‸", "-helper"},
		{"nothing.‸", "-Add -helper"},
		{"12‸", "-helper"},
		{"if help‸", "helper"},
		{"for i := range he‸", "helper helping"},
		{"k := point{‸", "helper pt"},
		{"func (p point) sum() int { return p.‸", "X Y Len"}, // the type is an earlier cell's
	} {
		src := strings.Replace(x.src, "‸", "", 1)
		start, list := c.Complete(src, strings.Index(x.src, "‸"))
		if word := strings.TrimRight(x.src[:strings.Index(x.src, "‸")], "abcdefghijklmnopqrstuvwxyzACLRS012"); start != len(word) {
			t.Errorf("%s: start %d, want %d", x.src, start, len(word))
		}
		have := map[string]bool{}
		for _, l := range list {
			have[l.Text] = true
		}
		for _, w := range strings.Fields(x.want) {
			if name, not := strings.CutPrefix(w, "-"); have[name] == not {
				t.Errorf("%s: %s: got %v", x.src, w, list)
			}
		}
	}
	_, list := c.Complete("tl.Arange", 9)
	if len(list) != 1 || list[0].Kind != "func" || !strings.HasPrefix(list[0].Detail, "func Arange(") {
		t.Errorf("got %+v", list)
	}
}
