package tensor

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor/stride"
)

// formatCase is one case of testdata/format.txt, which PyTorch wrote.
type formatCase struct {
	line int
	x    *Tensor
	want string
}

func readFormatCases(t *testing.T, path string) (cases []formatCase) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	line := 0
	next := func() string {
		line++
		s.Scan()
		return s.Text()
	}
	for {
		head := next()
		if head == "" {
			return cases
		}
		c := formatCase{line: line}
		name, shape, _ := strings.Cut(head, " ")
		d, err := dtype.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		c.x = tensorOf(t, d, parseShape(t, shape), next())
		for text := next(); text != "===="; text = next() {
			c.want += text + "\n"
		}
		c.want = strings.TrimSuffix(c.want, "\n")
		cases = append(cases, c)
	}
}

func parseShape(t *testing.T, s string) []int {
	t.Helper()
	shape := []int{}
	for _, n := range strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' }) {
		v, err := strconv.Atoi(n)
		if err != nil {
			t.Fatal(err)
		}
		shape = append(shape, v)
	}
	return shape
}

// tensorOf reads values, or "@a b" for a·i + b.
func tensorOf(t *testing.T, d dtype.DType, shape []int, values string) *Tensor {
	t.Helper()
	v := make([]float64, stride.Len(shape))
	if spec, ok := strings.CutPrefix(values, "@"); ok {
		var a, b float64
		if _, err := fmt.Sscan(spec, &a, &b); err != nil {
			t.Fatal(err)
		}
		for i := range v {
			v[i] = float64(a*float64(i)) + b
		}
	} else {
		for i, s := range strings.Fields(values) {
			f, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			v[i] = f
		}
	}
	return From(v).Reshape(shape...).To(d)
}

func TestFormatAsPyTorch(t *testing.T) {
	cases := readFormatCases(t, "testdata/format.txt")
	if len(cases) < 100 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, c := range cases {
		if got := c.x.String(); got != c.want {
			t.Errorf("testdata/format.txt:%d: %s\ngot\n%s\nwant\n%s", c.line, c.x.desc(), got, c.want)
		}
	}
}

func TestFormatOptions(t *testing.T) {
	grid := Arange(dtype.Int32, 0, 4).Unsqueeze(0).Expand(4, 4)
	x := From([]float32{1.5, -2.25, 1000})
	wide := From([]float32{1e-6, 1})
	tests := []struct {
		name string
		got  string
		want string
	}{
		{"expanded", grid.String(), "tensor([[0, 1, 2, 3],\n        [0, 1, 2, 3],\n        [0, 1, 2, 3],\n        [0, 1, 2, 3]])"},
		{"digits", x.Format(FormatOptions{Digits: 1}), "tensor([   1.5,   -2.2, 1000.0])"},
		{"no digits", x.Format(FormatOptions{Digits: -1}), "tensor([   2,   -2, 1000])"},
		{"sci", x.Format(FormatOptions{Notation: SciNotation, Digits: 2}), "tensor([ 1.50e+00, -2.25e+00,  1.00e+03])"},
		{"plain", wide.Format(FormatOptions{Notation: PlainNotation}), "tensor([0.0000, 1.0000])"},
		{"suffix", x.To(dtype.Float16).String(), "tensor([   1.5000,   -2.2500, 1000.0000], dtype=float16)"},
		{"no suffix", x.To(dtype.Float16).Format(FormatOptions{NoDType: true}), "tensor([   1.5000,   -2.2500, 1000.0000])"},
		{"fp8", x.To(dtype.Float8E5).Slice(0, 0, 2).String(), "tensor([ 1.5000, -2.0000], dtype=float8e5)"},
		{"uint64", Full(dtype.Uint64, uint64(math.MaxUint64), 1).String(), "tensor([18446744073709551615], dtype=uint64)"},
		{"width", Arange(dtype.Int32, 0, 5).Format(FormatOptions{LineWidth: -1}), "tensor([0,\n        1,\n        2,\n        3,\n        4])"},
		{"edge", Arange(dtype.Int32, 0, 50).Format(FormatOptions{Threshold: 10, EdgeItems: 1}), "tensor([ 0,  ..., 49])"},
		{"edge -1", Arange(dtype.Int32, 0, 50).Format(FormatOptions{Threshold: 10, EdgeItems: -1}), "tensor([ 0,  ..., 49])"},
		{"full", Zeros(dtype.Bool, 1, 1).Format(FormatOptions{Threshold: -1}), "tensor([[False]])"},
		{"nil", (*Tensor)(nil).String(), "tensor(nil)"},
		{"zero", new(Tensor).String(), "tensor(nil)"},
	}
	for _, c := range tests {
		if c.got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, c.got, c.want)
		}
	}
	if n := strings.Count(Arange(dtype.Int64, 0, 2000).Format(FormatOptions{Threshold: -1}), ","); n != 1999 {
		t.Errorf("%d commas in 2000 elements without a threshold", n)
	}
}

func TestFormatValues(t *testing.T) {
	at := func(i int) Value {
		switch i {
		case 1:
			return TextValue("··")
		case 2:
			return IntValue(-7)
		}
		return FloatValue(float64(i) + 0.5)
	}
	got := FormatValues([]int{2, 2}, at, FormatOptions{Indent: 2})
	if want := "[[0.5000,     ··],\n   [    -7, 3.5000]]"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	asked := 0
	FormatValues([]int{1000, 1000}, func(i int) Value { asked++; return BoolValue(i%2 == 0) }, FormatOptions{})
	if asked != 36 {
		t.Errorf("asked for %d elements, want 36", asked)
	}
	got = FormatNamed("tile", dtype.BFloat16, nil, func(int) Value { return FloatValue(2) }, FormatOptions{})
	if want := "tile(2., dtype=bfloat16)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
