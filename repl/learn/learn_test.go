package learn

import (
	"strings"
	"testing"
)

func TestSugar(t *testing.T) {
	for plain, want := range map[string]string{
		"x.Add(offs)":                                 "x + offs",
		"a.Add(b).Mul(c)":                             "(a + b) * c",
		"a.Mul(b).Add(c)":                             "a * b + c",
		"a.Sub(b.Sub(c))":                             "a - (b - c)",
		"a.Sub(b + c)":                                "a - (b + c)",
		"i.Col().Lt(n).And(j.Row().Lt(m))":            "(i[:, None] < n) & (j[None, :] < m)",
		"i.Mul(n).Col().Add(j.Row())":                 "(i * n)[:, None] + j[None, :]",
		"acc = acc.Add(tl.Dot(a, b.To(d)))":           "acc += tl.Dot(a, b.To(d))",
		"tl.Load(x.Add(p.ID(0)*N), tl.Mask(m.Lt(n)))": "tl.Load(x + p.ID(0)*N, tl.Mask(m < n))",
		"q := v.Shr(k.Mod(2).Mul(4).Col()).And(15)":   "q := v >> (k % 2 * 4)[:, None] & 15",
		"w := a.And(15).To(f).Sub(8)":                 "w := (a & 15).To(f) - 8",
		"a := tl.Load(x.Add(tl.Sub(n-1, offs)))":      "a := tl.Load(x + (n-1 - offs))",
		"x := a.FloorDiv(2).Shl(1)":                   "x := a.FloorDiv(2) << 1",
	} {
		got := strings.TrimSuffix(strings.TrimPrefix(Sugar("func f() {\n\t"+plain+"\n}"), "func f() {\n\t"), "\n}")
		if got != want {
			t.Errorf("%s: got %s, want %s", plain, got, want)
		}
	}
}

func TestWrapped(t *testing.T) {
	for text, want := range map[string]string{
		"one two three":               "one two\nthree",
		"a call f(x, y, z) is one":    "a call\nf(x, y, z)\nis one",
		"so are i < n and x[:, None]": "so are\ni < n and\nx[:, None]",
		"(this is prose)":             "(this is\nprose)",
		"  spaces\n and lines ":       "spaces and\nlines",
		"":                            "",
	} {
		if got := wrapped(text, 10); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	text := "one two\n\n\tcode that is longer than any line may be, and that nobody breaks\n\nthree"
	if got := paragraphs(text); got != text {
		t.Errorf("got %q", got)
	}
}
