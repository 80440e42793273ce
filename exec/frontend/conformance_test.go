package frontend

import (
	"archive/zip"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A goldenCase is what the conformance suite's manifest says of a case.
type goldenCase struct {
	Name    string
	Op      string
	Attrs   map[string]any
	In, Out map[string]struct {
		DType string
		Shape []int
	}
	Params map[string]int
}

// goldenKernels says which kernel runs a family of cases, with which arguments: a
// letter is an array, #a the length of one, a/i the i-th size of one, @ the op, .a
// an attribute, $p a parameter, anything else itself. The first line whose prefix
// matches a case's name is the one.
const goldenKernels = `
tile_scalar/int  tileInt x z .scalar #z @
tile_scalar/float  tileFloat x z .scalar #z @
scalar_tile/int  intTile x z .scalar #z @
scalar_tile/float  floatTile x z .scalar #z @
binary/  binary x y z #z @
fdiv/  binary x y z #z @
div_rn/  binary x y z #z @
umulhi/  binary x y z #z @
unary/  unary x z #z @
softmax/  unary x z #z @
cast/  cast x z .to #z cast
cast_rtz/  cast x z .to #z cast_rtz
bitcast/  cast x z .to #z bitcast
store_cast/  cast x z z #z store_cast
reduce/all  reduceAll x z @
reduce/keep_dims  reduceKeepDims x z .axis @
reduce/indices  reduce x z w .axis max_with_indices
reduce/  reduce x z z .axis @
dot_acc/  dotAcc x y w z x/0 y/1 x/1
dot/batched  dotBatched x y z x/0 x/1 y/2 x/2
dot/  dot x y z x/0 y/1 x/1
atomic/cas  atomicCAS x y w z #z
atomic/contended  atomicContended x
atomic/  atomic x y z .lanes #z @
shape/split  split x z w
shape/  shape x z @
where/  where c x y z #z
clamp/  clamp x z .lo .hi #z
fma/  fma x y w z #z
scan/associative_linear  scanLinear x y z w .axis
scan/  scan x z .axis .reverse @
sort/  sortRows x z .descending
topk/  topk x z .k
histogram/  histogram x z .bins #x
gather/  gather x i z .axis
flip/  flip x z .axis
random/  random z $seed @
memory/masked_load  maskedLoad x z $n .other #z
memory/masked_store  maskedStore x z #z
memory/strided2d  strided2d x z
memory/block_ptr  blockPtr x z $M $N
program/  programIDs z
control/collatz  collatz x z
control/loop_carried  loopCarried x z w $n #z
`

// kernelFor finds the kernel of a case and its arguments as text.
func (c *goldenCase) kernelFor() (kernel string, args []string) {
	name := c.Name
	switch family, _, _ := strings.Cut(name, "/"); {
	case family == "memory" || family == "control":
		name = family + "/" + c.Op
	case c.Attrs["scalar_is"] != nil:
		name = c.Attrs["side"].(string) + "/" + c.Attrs["scalar_is"].(string)
	case strings.HasSuffix(name, "/all"):
		name = "reduce/all"
	case strings.HasSuffix(name, "/keep_dims"):
		name = "reduce/keep_dims"
	case c.Attrs["return_indices"] == true:
		name = "reduce/indices"
	case c.Op == "dot_batched", c.Op == "atomic_cas", c.Op == "atomic_contended":
		name = strings.Replace(c.Op, "_", "/", 1)
	case c.Op == "split" || c.Op == "associative_scan_linear":
		name = family + "/" + strings.Replace(c.Op, "associative_scan_linear", "associative_linear", 1)
	}
	for _, line := range strings.Split(strings.TrimSpace(goldenKernels), "\n") {
		prefix, call, _ := strings.Cut(line, "  ")
		if strings.HasPrefix(name, prefix) {
			words := strings.Fields(call)
			return words[0], words[1:]
		}
	}
	return "", nil
}

func (c *goldenCase) shape(array string) []int {
	if a, ok := c.In[array]; ok {
		return a.Shape
	}
	return c.Out[array].Shape
}

func (c *goldenCase) dtype(array string) dtype.DType {
	name := c.Out[array].DType
	if a, ok := c.In[array]; ok {
		name = a.DType
	}
	d, _ := dtype.Parse(name)
	return d
}

// arg is the argument that a word stands for.
func (c *goldenCase) arg(word string, k gofile.Kind) Arg {
	n := 1
	switch {
	case k == gofile.Ptr || k == gofile.DType:
		if to, ok := c.Attrs[strings.TrimPrefix(word, ".")].(string); ok {
			d, _ := dtype.Parse(to)
			return Arg{DType: d}
		}
		if word == ".to" {
			word = "z"
		}
		return Arg{DType: c.dtype(word)}
	case k == gofile.String && word == "@":
		return Arg{Str: c.Op}
	case k == gofile.String:
		return Arg{Str: word}
	case word[0] == '#':
		for _, d := range c.shape(word[1:]) {
			n *= d
		}
	case word[0] == '$':
		n = c.Params[word[1:]]
	case word[0] == '.':
		x, _ := c.Attrs[word[1:]].(float64)
		b, _ := c.Attrs[word[1:]].(bool)
		return Arg{Int: int64(x), Float: x, Bool: b}
	default:
		n = c.shape(word[:1])[word[2]-'0']
	}
	return Arg{Int: int64(n)}
}

// TestConformanceKernels compiles the kernel of every case of the conformance suite
// for its arguments.
func TestConformanceKernels(t *testing.T) {
	text, err := os.ReadFile("../golden/kernels.go")
	if err != nil {
		t.Fatal(err)
	}
	f, err := gofile.Load("kernels.go", string(text))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range goldenCases(t) {
		kernel, words := c.kernelFor()
		params, err := f.Params(kernel)
		if err != nil || len(params) != len(words) {
			t.Fatalf("%s: kernel %q takes %v, not %v: %v", c.Name, kernel, params, words, err)
		}
		args := make([]Arg, len(words))
		for i, w := range words {
			args[i] = c.arg(w, params[i].Kind)
		}
		seen[kernel] = true
		fn, _, err := Compile(f, kernel, args)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		if err := ir.Verify(fn); err != nil {
			t.Errorf("%s: %v\n%s", c.Name, err, fn)
		}
		if got, err := ir.Parse(fn.String()); err != nil || got.String() != fn.String() {
			t.Errorf("%s: parsed back: %v\n%s", c.Name, err, fn)
		}
	}
	for _, k := range f.Kernels() {
		if !seen[k] {
			t.Errorf("no case runs %s", k)
		}
	}
}

func goldenCases(t *testing.T) []*goldenCase {
	t.Helper()
	z, err := zip.OpenReader("../golden/testdata/ops.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	r, err := z.Open("manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var m struct{ Cases []*goldenCase }
	if err := json.NewDecoder(r).Decode(&m); err != nil {
		t.Fatal(err)
	}
	return m.Cases
}
