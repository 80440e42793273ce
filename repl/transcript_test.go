package repl

import (
	"slices"
	"testing"
)

func TestTranscript(t *testing.T) {
	for _, x := range []struct {
		text string
		want []string
	}{
		{"x := 1", nil},
		{"func f() int {\n\treturn 1\n}", nil},
		{"tiler > x", nil},
		{"tiler> x := 1", []string{"x := 1"}},
		{"tiler> \n", []string{""}},
		{"tiler> x := 1\ntiler> x\n1\n\ntiler> x + x\n2\ntiler> ", []string{"x := 1", "x", "x + x"}},
		{"tiler> func f() int {\n     . \treturn 1\n     .\n     . }\ntiler> f()", []string{"func f() int {\n\treturn 1\n\n}", "f()"}},
		{"    tiler> for range 2 {\n         . }\n    1", []string{"for range 2 {\n}"}},
		{"1\ntiler> :help\nseeing\n  :plain", []string{":help"}},
		{"x + // the prompt was not copied\n     . y\n3", []string{"x + // the prompt was not copied\ny"}},
		{"x\n3\ntiler> y", []string{"y"}},
		{">>> for i in x:\n...     print(i)\n...\n1\n2\n>>> x", []string{"for i in x:\n    print(i)\n", "x"}},
		{"In [3]: f(\n   ...:     1)\nOut[3]: 2\n\nIn [14]: x\nOut[14]: 3", []string{"f(\n    1)", "x"}},
		{"tiler> x\r\n1\r\ntiler> y\r\n", []string{"x", "y"}},
		{"tiler> x\n  │ 0\n     . that is no line of a cell", []string{"x"}},
	} {
		if got := transcript(x.text); !slices.Equal(got, x.want) {
			t.Errorf("%q\ngot  %q\nwant %q", x.text, got, x.want)
		}
	}
}
