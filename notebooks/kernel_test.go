package notebooks_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/notebooks/jupyter"
)

// kernelCells is a notebook that goes wrong in all ways, and what its cells show.
var kernelCells = []struct {
	name, code string
	want       string  // regular expression of the outputs
	not        string  // that they must not match; "" if anything goes
	interrupt  float64 // seconds after its first output, or as it is built if < 0, it is interrupted
}{
	{"first", `import (
	"fmt"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/notebooks/nb"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

%%
fmt.Println(tl.Sum(tl.Arange(0, 4)).Int())`, `^6\n$`, "", 0},
	{"warm", "%%\nfmt.Println(tl.Sum(tl.Arange(0, 5)).Int())", `^10\n$`, "", 0},
	{"warm again", "%%\nfmt.Println(tl.Sum(tl.Arange(0, 6)).Int())", `^15\n$`, "", 0},
	{"warm, with pictures", "%%\nnb.Show(tl.Arange(0, 2))", `i32\[2\]`, "", 0},
	{"warm once more", "%%\nfmt.Println(tl.Sum(tl.Arange(0, 7)).Int())", `^21\n$`, "", 0},
	{"a fault of a kernel", `func stray(p *tl.Program, x tl.Ptr) {
	v := tl.Load(x.Add(tl.Arange(0, 8)))
	tl.Store(x.Add(tl.Arange(0, 8)), v)
}

%%
x := tensor.Zeros(tl.Float32, 5)
nb.Show(exec.New(stray).Launch(exec.Grid{1}, x))`, `\[\[ Cell \[6\] Line 2 \]\].*tl.Load: out of bounds`, "error", 0},
	{"a kernel of an earlier cell", `%%
x := tensor.Zeros(tl.Float32, 7)
nb.Show(exec.New(stray).Launch(exec.Grid{1}, x))`, `\[\[ Cell \[6\] Line 2 \]\].*x\[7\], 1 element past`, "error", 0},
	{"promoted, also of an earlier cell", `%%
x := tensor.Zeros(tl.Float32, 8)
rep, err := exec.New(stray, exec.Options{Check: exec.CheckOptions{NoVariations: true}}).Promote(exec.Grid{1}, x)
fmt.Println(rep.Promoted, err)`, `^true <nil>\n$`, "", 0},
	{"what cannot be compiled", `func adds(p *tl.Program, x tl.Ptr, n int) {
	m := map[int]int{0: n}
	tl.Store(x, m[0])
}

%%
x := tensor.Zeros(tl.Int32, 1)
rep, err := exec.New(adds).Promote(exec.Grid{1}, x, 3)
fmt.Println(rep.Promoted, x.At(0))
nb.Show(err)`, `(?s)^false 3\n.*\[\[ Cell \[9\] Line 2 \]\]`, "", 0},
	{"an error of Go's compiler", `func wrong(p *tl.Program, x tl.Ptr) {
	v := tl.Load(x)
	tl.Stor(x, v)
}

%%
fmt.Println(1)`, `(?s)Cell\[10\]: Line 3.*undefined: tl.Stor`, "", 0},
	{"a syntax error", `func wrong(p *tl.Program, x tl.Ptr) {
	v := tl.Load(x
}`, `(?s)Cell\[11\]: Line 2`, "", 0},
	{"a cell of the prompt", "%%\na := tl.Arange(0, 4)\nnb.Show(a[:, None])",
		`(?s)Cell\[12\]: Line 3.*fix: this is a cell of compiled Go: a\[:, None\] is a\.Col\(\)`, "", 0},
	{"operators of the prompt", "%%\na := tl.Arange(0, 4)\nnb.Show(a * 2)",
		`(?s)Cell\[13\]: Line 3.*a \* 2 is a\.Mul\(2\)`, "", 0},
	{"order", `%%
for i := range 20 {
	fmt.Println("before", i)
	nb.Show(tl.Full(tl.Int32, i))
	fmt.Println("after", i)
}`, order(20), "", 0},
	{"a panic", `%%
var m map[string]int
m["x"] = 1`, `(?s)assignment to entry in nil map.*Cell ?\[15\]:? Line 3`, "", 0},
	{"an error with colons", `%%
panic(fmt.Errorf("launch: kernel: %w", exec.New(stray).Launch(exec.Grid{1}, tensor.Zeros(tl.Float32, 5))))`, `out of bounds`, "", 0},
	{"alive", "%%\nfmt.Println(\"alive\")", `^alive\n$`, "", 0},
	{"a value is made", `var kept = nb.Keep("kept", func() *tensor.Tensor { fmt.Println("made"); return tensor.Rand(1, tl.BFloat16, 4) })

%%
fmt.Println(kept.Len())`, `^made\n4\n$`, "", 0},
	{"a value is kept", "%%\nfmt.Println(kept.DType())", `^bfloat16\n$`, "", 0},
	{"a value that is made otherwise is made again", `var kept = nb.Keep("kept", func() *tensor.Tensor { fmt.Println("made"); return tensor.Rand(2, tl.BFloat16, 5) })

%%
fmt.Println(kept.Len())`, `^made\n5\n$`, "", 0},
	{"gonb's own cache and display", `import (
	"github.com/janpfeifer/gonb/cache"
	"github.com/janpfeifer/gonb/gonbui"
)

var list = cache.Cache("tiler-test-list", func() []int { return []int{1, 2} })

%%
nb.Show(tl.Full(tl.Int32, 1))
gonbui.DisplayHTML("<b>direct</b>")
nb.Show(tl.Full(tl.Int32, 2))
fmt.Println(list)`, `(?s)<b>direct</b>.*\[1 2\]`, "", 0},
	{"a long launch, interrupted", `func long(p *tl.Program, x tl.Ptr) {
	for {
		tl.Store(x, tl.Load(x).Add(1))
	}
}

%%
fmt.Println("begins")
fmt.Println(exec.New(long).Launch(exec.Grid{64}, tensor.Zeros(tl.Int32, 1)))`, `(?s)^begins\n.*signal: interrupt`, "", 3},
	{"a long compiled launch, interrupted", `func longCompiled(p *tl.Program, x tl.Ptr, n int) {
	for range n {
		tl.Store(x.Add(p.ID(0)), tl.Load(x.Add(p.ID(0))).Add(1))
	}
}

%%
x := tensor.Zeros(tl.Int32, 4)
k := exec.New(longCompiled, exec.Options{Check: exec.CheckOptions{NoVariations: true}})
rep, err := k.Promote(exec.Grid{4}, x, 10)
fmt.Println(rep.Promoted, err)
k.Launch(exec.Grid{4}, x, 1<<40)`, `(?s)true <nil>.*signal: interrupt`, "", 3},
	{"a cell that is interrupted before it is built", built, `(?s)^\^C\n.*interrupt`, "begins", -0.01},
	{"a cell that is interrupted while it is built", built, `(?s)^\^C\n.*interrupt`, "begins", -0.3},
	{"alive after that", "%%\nfmt.Println(\"alive\")", `^alive\n$`, "", 0},
}

// built is a cell that would run for hours.
const built = `%%
fmt.Println("begins")
k := exec.New(longCompiled)
k.Launch(exec.Grid{4}, tensor.Zeros(tl.Int32, 4), 1<<40)`

// order is what n pictures between prints look like in the right order.
func order(n int) string {
	var s strings.Builder
	s.WriteString("(?s)^")
	for range n {
		s.WriteString(`before \d+\n.*?text/plain.*?after \d+\n`)
	}
	return s.String() + "$"
}

// shown is everything that a cell shows as text.
func shown(list []jupyter.Output) string {
	var s strings.Builder
	for _, o := range list {
		s.WriteString(string(o.Text) + o.Value)
		if o.Kind == "error" {
			s.WriteString("(error)")
		}
		for _, kind := range []string{"text/html", "text/plain"} {
			if text := o.Data[kind]; text != "" {
				s.WriteString(kind + ": " + string(text))
			}
		}
	}
	return s.String()
}

// TestKernel: what the kernel owes a user whose cells go wrong. How long things take is
// printed, and judged with so much room that a busy machine does not matter.
func TestKernel(t *testing.T) {
	r := runner(t, jupyter.Gonb)
	book := jupyter.New(jupyter.Gonb)
	for _, c := range kernelCells {
		cell := jupyter.Cell{Kind: "code", Source: c.code}
		switch {
		case c.interrupt > 0:
			cell.Metadata = map[string]any{"tiler": map[string]any{"interrupt": c.interrupt}}
		case c.interrupt < 0:
			cell.Metadata = map[string]any{"tiler": map[string]any{"interruptBuild": -c.interrupt}}
		}
		book.Cells = append(book.Cells, cell)
	}
	for i := range book.Cells {
		book.Cells[i].ID = "cell-" + string([]byte{byte('0' + (i+1)/10), byte('0' + (i+1)%10)})
	}
	run, err := r.Run(t.Context(), book, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("kernel start %.2f s; interrupts took %.3f s", run.Start, run.Interrupted)
	for i, c := range kernelCells {
		got := shown(run.Notebook.Cells[i].Outputs)
		t.Logf("cell %2d took %.2f s: %s", i+1, run.Cells[i], c.name)
		if !regexp.MustCompile(c.want).MatchString(got) || c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("cell %d, %s, shows\n%s\nwant %s", i+1, c.name, got, c.want)
		}
	}
	for _, seconds := range run.Interrupted {
		if seconds > 2 {
			t.Errorf("an interrupt took %.2f s", seconds)
		}
	}
}
