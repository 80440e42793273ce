package trace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/trace"
	"github.com/tiler-go/tiler/repl/cell"
)

// record runs a program with its launches recorded; out is what it prints.
func record(t *testing.T, source string, l trace.Limits) (tr *trace.Trace, out string) {
	t.Helper()
	var b bytes.Buffer
	r := trace.NewRecorder("main.go", source, l)
	s := cell.New(cell.Options{
		Out: &b,
		Launch: func(l *cell.Launch) error {
			return r.Launch(l.Context(), trace.Run{Kernel: l.Name(), Args: l.Args, Observe: l.Observe, Plain: l.Run})
		},
		Step: func(s cell.Step) error {
			var vars []trace.Assigned
			for i, n := range s.Names {
				vars = append(vars, trace.Assigned{Name: n, Type: types.TypeString(s.Values[i].Type, nil), Value: s.Values[i].V})
			}
			r.Step(s.Pos.Line, vars)
			return nil
		},
	})
	if err := s.RunFile(context.Background(), "main.go", source); err != nil {
		t.Fatal(s.Render(err))
	}
	return r.Trace(), b.String()
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// program is a program with one kernel and the body of its main.
func program(kernel, main string) string {
	return `package main

import (
	"fmt"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

` + kernel + "\n\nfunc main() {\n" + main + "\n}\n"
}

const add = `func add(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := offs.Lt(n)
	tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(mask)).Add(1), tl.Mask(mask))
}`

// text is an instance as lines, with at most some characters of what is listed by lane.
func text(l *trace.Launch, i *trace.Instance) string {
	var b strings.Builder
	short := func(s string) string {
		if len(s) > 60 {
			return s[:60] + "…"
		}
		return s
	}
	fmt.Fprintf(&b, "%s %v of %v\n", l.Kernel, i.ID, l.Grid)
	for _, s := range i.Steps {
		fmt.Fprintf(&b, "%d\n", s.Line)
		for _, a := range s.Accesses {
			fmt.Fprintf(&b, "\t%s %s %s%v: %d active, %d masked, %d outside, %d undefined\n", a.Kind, a.Op, l.Args[a.Arg].Name, a.Shape, a.Counts.Active, a.Counts.Masked, a.Counts.Outside, a.Counts.Undefined)
			fmt.Fprintf(&b, "\t\tfrom %d by %v %v\n\t\t%s\n\t\t%s\n", a.Start, a.Strides, a.Offsets, short(a.States), short(a.Values))
		}
		for _, v := range s.Vars {
			fmt.Fprintf(&b, "\t%s %s%v %s = %s\n", v.Name, v.Type, v.Shape, v.Of, short(v.Values))
		}
	}
	if i.Failure != nil {
		fmt.Fprintf(&b, "failed at %d\n", i.Failure.Line)
	}
	return b.String()
}

// TestMatmul compares what one instance of an example does with a golden file, and its
// output with that of a run that nobody watches.
func TestMatmul(t *testing.T) {
	source := read(t, "../../examples/oobmatmul/main.go")
	tr, out := record(t, source, trace.Limits{})
	var plain bytes.Buffer
	if err := cell.New(cell.Options{Out: &plain}).RunFile(context.Background(), "main.go", source); err != nil {
		t.Fatal(err)
	}
	if out != plain.String() {
		t.Errorf("recorded it prints\n%s\nbut otherwise\n%s", out, plain.String())
	}
	if len(tr.Launches) != 3 || len(tr.Notes) > 0 {
		t.Fatalf("%d launches, notes %v", len(tr.Launches), tr.Notes)
	}
	l := tr.Launches[1]
	last := l.Instances[len(l.Instances)-1]
	got := text(tr.Launches[0], tr.Launches[0].Instances[0]) + text(l, last)
	const golden = "testdata/oobmatmul.txt"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := read(t, golden); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if f := l.Failure; f == nil || f != last.Failure || !slices.Equal(f.Program, []int{2, 0}) || !strings.Contains(f.Text, "480 of 512 active lanes lie outside") {
		t.Errorf("failure %+v", f)
	}
}

// TestRagged: the last block hangs over the end, and its mask says so.
func TestRagged(t *testing.T) {
	tr, _ := record(t, program(add, `	x, out := tensor.Arange(tl.Int32, 0, 6), tensor.Empty(tl.Int32, 6)
	fmt.Println(exec.New(add).Launch(exec.Grid{2}, x, out, 6, 4), out)`), trace.Limits{})
	step := tr.Launches[0].Instances[1].Steps[2]
	load, store := step.Accesses[0], step.Accesses[1]
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"load", load.States + " " + load.Values, "oo.. 4,5,,"},
		{"load's offsets", fmt.Sprint(load.Start, load.Strides), "4 [1]"},
		{"store", store.States + " " + store.Values, "oo.. 5,6,1,1"},
		{"counts", store.Counts, trace.Counts{Active: 2, Masked: 2}},
		{"line", step.Line, 14},
		{"mask", tr.Launches[0].Instances[1].Steps[1].Vars[0].Values, "1,1,0,0"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", c.what, c.got, c.want)
		}
	}
}

// TestStates: what is undefined, scattered, updated or in a function of its own.
func TestStates(t *testing.T) {
	tr, _ := record(t, program(`func k(p *tl.Program, x, counts, total tl.Ptr) {
	bins := get(x)
	tl.AtomicAdd(counts.Add(bins), 1)
	if tl.Load(total).Int() == 0 {
		tl.Store(total, 7)
	}
}

func get(x tl.Ptr) tl.Tile {
	return tl.Load(x.Add(tl.Arange(0, 4)))
}`, `	x, counts, total := tensor.From([]int32{1, 0, 1, 2}), tensor.Zeros(tl.Int32, 4), tensor.Empty(tl.Int32)
	total.Set(0)
	fmt.Println(exec.New(k).Launch(exec.Grid{1}, x, counts, total))
	fmt.Println(exec.New(k).Launch(exec.Grid{1}, tensor.Empty(tl.Int32, 4), counts, total))`), trace.Limits{})
	l := tr.Launches[0]
	want := `k [0] of [1]
20
	load tl.Load x[4]: 4 active, 0 masked, 0 outside, 0 undefined
		from 0 by [1] []
		oooo
		1,0,1,2
12
	bins i32[4]  = 1,0,1,2
13
	atomic tl.AtomicAdd counts[4]: 4 active, 0 masked, 0 outside, 0 undefined
		from 0 by [] [1 0 1 2]
		oooo
		1,1,1,1
14
	load tl.Load total[]: 1 active, 0 masked, 0 outside, 0 undefined
		from 0 by [] []
		o
		0
15
	store tl.Store total[]: 1 active, 0 masked, 0 outside, 0 undefined
		from 0 by [] []
		o
		7
`
	if got := text(l, l.Instances[0]); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if a := l.Instances[0].Steps[2].Accesses[0]; a.Before != "0,0,0,0" {
		t.Errorf("before the atomic: %s", a.Before)
	}
	l = tr.Launches[1]
	if a := l.Instances[0].Steps[0].Accesses[0]; a.States != "uuuu" || a.Counts.Undefined != 4 {
		t.Errorf("unwritten memory: %+v", a)
	}
	if l.Failure == nil || l.Failure.Line != 13 || l.Instances[0].Failure == nil {
		t.Errorf("no failure: %+v", l)
	}
}

// TestLimits: what is left out is chosen evenly, and said; a program that fails is there.
func TestLimits(t *testing.T) {
	main := `	x, out := tensor.Zeros(tl.Int32, 400), tensor.Zeros(tl.Int32, 400)
	fmt.Println(exec.New(add).Launch(exec.Grid{%d}, x, out, 1000, 4))`
	for _, c := range []struct {
		programs int
		limits   trace.Limits
		ids      string
		notes    string
	}{
		{100, trace.Limits{Instances: 5}, "[0] [24] [49] [74] [99]", "add: 5 of 100 instances are recorded (at most 5, and 200000 lanes in all; change with -instances, -lanes)"},
		{100, trace.Limits{Instances: 1}, "[0]", "add: 1 of 100 instances are recorded (at most 1, and 200000 lanes in all; change with -instances, -lanes)"},
		{100, trace.Limits{Lanes: 300}, "[0] [24] [49] [74] [99]", "add: 5 of 100 instances are recorded (at most 64, and 300 lanes in all; change with -instances, -lanes)"},
		{2, trace.Limits{Lanes: 20}, "[0]", "add: 1 of 2 instances are recorded (at most 64, and 20 lanes in all; change with -instances, -lanes)\n" +
			"add: steps left out, beyond 20 lanes in all (-lanes): 1"},
		{101, trace.Limits{Instances: 2}, "[0] [100]", "add: 2 of 101 instances are recorded (at most 2, and 200000 lanes in all; change with -instances, -lanes)"},
	} {
		tr, _ := record(t, program(add, fmt.Sprintf(main, c.programs)), c.limits)
		var ids []string
		for _, i := range tr.Launches[0].Instances {
			ids = append(ids, fmt.Sprint(i.ID))
		}
		if got := strings.Join(ids, " "); got != c.ids {
			t.Errorf("%+v: got instances %s, want %s", c.limits, got, c.ids)
		}
		if got := strings.Join(tr.Notes, "\n"); got != c.notes {
			t.Errorf("%+v: got notes\n%s\nwant\n%s", c.limits, got, c.notes)
		}
	}
}

// TestLongLoop: an instance that does more than there is room for is recorded as far as
// that goes.
func TestLongLoop(t *testing.T) {
	tr, _ := record(t, program(`func k(p *tl.Program, x tl.Ptr) {
	for i := range 1000 {
		tl.Store(x.Add(tl.Arange(0, 8)), i)
	}
}`, `	fmt.Println(exec.New(k).Launch(exec.Grid{1}, tensor.Zeros(tl.Int32, 8)))
	fmt.Println(exec.New(k).Launch(exec.Grid{1}, tensor.Zeros(tl.Int32, 8)))`), trace.Limits{Lanes: 1000})
	if len(tr.Launches) != 1 {
		t.Fatalf("%d launches", len(tr.Launches))
	}
	i := tr.Launches[0].Instances[0]
	if len(i.Steps)+i.LeftOut != 2000 || i.LeftOut == 0 || len(i.Steps) < 100 {
		t.Errorf("%d steps, %d left out", len(i.Steps), i.LeftOut)
	}
	if notes := strings.Join(tr.Notes, "\n"); !strings.Contains(notes, "k: steps left out, beyond 1000 lanes in all (-lanes): ") || !strings.Contains(notes, "launches beyond 1000 lanes in all (-lanes) are not recorded: 1") {
		t.Errorf("notes:\n%s", notes)
	}
}

// TestInterrupted: a launch whose context ends is recorded as far as it came.
func TestInterrupted(t *testing.T) {
	tr, _ := record(t, strings.Replace(program(add, `	ctx, cancel := context.WithCancel(context.Background())
	x := tensor.Zeros(tl.Int32, 400)
	go cancel()
	<-ctx.Done()
	fmt.Println(exec.New(add).LaunchContext(ctx, exec.Grid{100}, x, x, 400, 4))`), `"fmt"`, "\"context\"\n\t\"fmt\"", 1), trace.Limits{})
	l := tr.Launches[0]
	if l.Failure == nil || l.Failure.Text != "ended early, after 0 of 100 programs: context canceled" {
		t.Errorf("failure %+v", l.Failure)
	}
}

// TestPage: the page holds the record, and asks nobody for anything.
func TestPage(t *testing.T) {
	source := program(add, `	fmt.Println("</script><b>{{script}}")
	x := tensor.Zeros(tl.Int32, 6)
	fmt.Println(exec.New(add).Launch(exec.Grid{2}, x, x, 6, 4))`)
	tr, _ := record(t, source, trace.Limits{})
	var b bytes.Buffer
	if err := tr.WritePage(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	_, rest, _ := strings.Cut(page, `<script type="application/json" id="trace">`)
	data, _, ok := strings.Cut(rest, "</script>")
	var back trace.Trace
	if err := json.Unmarshal([]byte(data), &back); err != nil || !ok {
		t.Fatalf("the record does not parse: %v", err)
	}
	if back.Source != source || len(back.Launches[0].Instances) != 2 {
		t.Errorf("the record is another: %+v", back)
	}
	for _, bad := range []string{"http:", "https:", "src=", "@import", "url(", "fetch(", "import("} {
		if strings.Contains(strings.ReplaceAll(page, data, ""), bad) {
			t.Errorf("the page contains %s", bad)
		}
	}
	for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page's script makes markup of data: %s", bad)
		}
	}
}
