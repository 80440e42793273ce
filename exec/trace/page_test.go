package trace_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/trace"
)

// A page is what a page's script is given.
type page struct {
	trace.Trace
	Open    [3]int   `json:"open"`
	Classes []string `json:"classes"`
	Colours [][]int  `json:"colours"`
}

// written is the text of a trace's page, and what is in it for the script.
func written(t *testing.T, tr *trace.Trace) (text string, p page) {
	t.Helper()
	var b bytes.Buffer
	if err := tr.WritePage(&b); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(b.String(), `<script type="application/json" id="trace">`)
	data, _, _ := strings.Cut(rest, "</script>")
	if err := json.Unmarshal([]byte(data), &p); err != nil {
		t.Fatal(err)
	}
	return b.String(), p
}

// TestOpening: a page opens at the access that failed, else at the first load, else at the
// first access.
func TestOpening(t *testing.T) {
	const store = `func k(p *tl.Program, x tl.Ptr) {
	offs := tl.Arange(0, 4)
	tl.Store(x.Add(offs), offs)
}`
	for _, c := range []struct{ name, kernel, main, want string }{
		{"a launch that fails after one that does not", add, `	x := tensor.Zeros(tl.Int32, 6)
	fmt.Println(exec.New(add).Launch(exec.Grid{2}, x, x, 6, 4))
	fmt.Println(exec.New(add).Launch(exec.Grid{2}, x, x, 7, 4))`, "launch 1, program [1], line 14: tl.Load of x, 1 outside"},
		{"none fails", add, `	x := tensor.Zeros(tl.Int32, 6)
	fmt.Println(exec.New(add).Launch(exec.Grid{2}, x, x, 6, 4))`, "launch 0, program [0], line 14: tl.Load of x, 0 outside"},
		{"only stores", store, `	fmt.Println(exec.New(k).Launch(exec.Grid{1}, tensor.Zeros(tl.Int32, 4)))`, "launch 0, program [0], line 13: tl.Store of x, 0 outside"},
		{"a launch that does not begin", store, `	fmt.Println(exec.New(k).Launch(exec.Grid{1}, tensor.Zeros(tl.Int32, 4)))
	fmt.Println(exec.New(k).Launch(exec.Grid{1}))`, "launch 1"},
		{"no access", `func k(p *tl.Program) {
	n := p.ID(0)
	p.Assert(n == 0, "n")
}`, `	fmt.Println(exec.New(k).Launch(exec.Grid{1}), tensor.Zeros(tl.Int32))`, "launch 0, program [0], line 12"},
	} {
		tr, _ := record(t, program(c.kernel, c.main), trace.Limits{})
		_, p := written(t, tr)
		l := p.Launches[p.Open[0]]
		got := fmt.Sprintf("launch %d", p.Open[0])
		if len(l.Instances) > 0 {
			i := l.Instances[p.Open[1]]
			s := i.Steps[p.Open[2]]
			got += fmt.Sprintf(", program %v, line %d", i.ID, s.Line)
			if len(s.Accesses) > 0 {
				a := s.Accesses[0]
				got += fmt.Sprintf(": %s of %s, %d outside", a.Op, l.Args[a.Arg].Name, a.Counts.Outside)
			}
		}
		if got != c.want {
			t.Errorf("%s: it opens at %s, want %s", c.name, got, c.want)
		}
	}
}

// TestPrints: what every program touches is in the record, also of those whose steps are
// not, as blocks of elements by their place in the tensor.
func TestPrints(t *testing.T) {
	tr, _ := record(t, program(`func k(p *tl.Program, x, out tl.Ptr, rows, cols int, B tl.Const) {
	i, j := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
	mask := i.Col().Lt(rows).And(j.Row().Lt(cols))
	v := tl.Load(x.Add(i.Col().Add(j.Mul(rows).Row())), tl.Mask(mask))
	tl.Store(out.Add(i.Mul(cols).Col().Add(j.Row())), v, tl.Mask(mask))
	tl.Store(out.Add(i.Mul(cols).Col().Add(j.Row())), v, tl.Mask(mask))
}`, `	x, out := tensor.Arange(tl.Int32, 0, 15).Reshape(5, 3).T(), tensor.Zeros(tl.Int32, 3, 5)
	fmt.Println(exec.New(k).Launch(exec.Grid{2, 3}, x, out, 3, 5, 2))
	v := tensor.Zeros(tl.Int32, 6)
	fmt.Println(exec.New(add).Launch(exec.Grid{2}, v, v, 8, 4))`)+"\n"+add+"\n", trace.Limits{Instances: 1})
	_, p := written(t, tr)
	var got []string
	for _, l := range p.Launches {
		for _, f := range l.Prints {
			for _, x := range f.Touches {
				got = append(got, fmt.Sprintf("%v %s %s %v", f.ID, x.Kind, l.Args[x.Arg].Name, x.Blocks))
			}
		}
	}
	want := strings.Split(strings.TrimSpace(`
[0 0] load x [[0 2 5 2]]
[0 0] store out [[0 2 5 2]]
[1 0] load x [[10 2 0 1]]
[1 0] store out [[10 2 0 1]]
[0 1] load x [[2 2 5 2]]
[0 1] store out [[2 2 5 2]]
[1 1] load x [[12 2 0 1]]
[1 1] store out [[12 2 0 1]]
[0 2] load x [[4 1 5 2]]
[0 2] store out [[4 1 5 2]]
[1 2] load x [[14 1 0 1]]
[1 2] store out [[14 1 0 1]]
[0] load x [[0 4 0 1]]
[0] store out [[0 4 0 1]]
[1] load x [[4 4 0 1]]`), "\n")
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestColours: the words of the source have classes, at columns as a browser counts them.
func TestColours(t *testing.T) {
	source := program(add, `	x := tensor.Zeros(tl.Int32, 6) // é𝄞 "x"
	fmt.Println("𝄞", 'é', 1.5, `+"`a\nb`"+`, exec.New(add).Launch(exec.Grid{2}, x, x, 6, 4))`)
	tr, _ := record(t, source, trace.Limits{})
	_, p := written(t, tr)
	var got []string
	for i, line := range strings.Split(source, "\n") {
		if !strings.Contains(line, "𝄞") && !strings.HasPrefix(line, "b`") {
			continue
		}
		text := []rune{}
		for _, r := range line { // a browser has two units for some
			if text = append(text, r); r > 0xffff {
				text = append(text, -1)
			}
		}
		m := p.Colours[i]
		for k := 0; k+2 < len(m); k += 3 {
			word := strings.ReplaceAll(string(text[m[k]:m[k]+m[k+1]]), "\uFFFD", "")
			got = append(got, p.Classes[m[k+2]]+" "+word)
		}
	}
	want := []string{"name Zeros", "number 6", "comment // é𝄞 \"x\"", "name Println", "string \"𝄞\"", "string 'é'", "number 1.5", "string `a",
		"string b`", "name New", "name Launch", "number 2", "number 6", "number 4"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

// TestMarkup: nothing that a program names or prints becomes markup of its page.
func TestMarkup(t *testing.T) {
	const evil = `</script><img onerror=alert(1)>{{style}}`
	r := trace.NewRecorder(evil+"/"+evil+".go", "package main // "+evil, trace.Limits{})
	tr := r.Trace()
	tr.Launches = append(tr.Launches, &trace.Launch{Kernel: evil, Args: []trace.Arg{{Name: evil, Value: evil}}, Failure: &trace.Failure{Text: evil}})
	tr.Notes = append(tr.Notes, evil)
	text, p := written(t, tr)
	if strings.Contains(text, "<img") || strings.Count(text, "</script>") != 2 || strings.Count(text, "--ground:") != 2 {
		t.Error("the page has markup that it is not to have")
	}
	if p.Launches[0].Kernel != evil || p.Notes[0] != evil {
		t.Errorf("the record is another: %+v", p)
	}
}

// TestScattered: footprints that would take too much room are left out, and that is said.
func TestScattered(t *testing.T) {
	tr, _ := record(t, program(`func k(p *tl.Program, x tl.Ptr, B tl.Const) {
	i := tl.Arange(0, B)
	tl.Store(x.Add(i.Mul(i)), i)
}`, `	fmt.Println(exec.New(k).Launch(exec.Grid{20}, tensor.Zeros(tl.Int32, 3000*3000), 3000))`), trace.Limits{})
	if n := len(tr.Launches[0].Prints); n != 13 || !slices.Contains(tr.Notes, "k: what 7 programs touch is not drawn: it is scattered over more than 20000 blocks") {
		t.Errorf("%d footprints, notes %q", n, tr.Notes)
	}
}
