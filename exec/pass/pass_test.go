package pass_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/exec/kerneltest/random"
	"github.com/tiler-go/tiler/exec/pass"
	"github.com/tiler-go/tiler/tilelang/op"
)

// passNamed is the first row of a name.
func passNamed(t *testing.T, name string) pass.Pass {
	t.Helper()
	for _, p := range pass.Table {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("no pass is called %s", name)
	return pass.Pass{}
}

// distinct is the passes, each once.
func distinct() (list []pass.Pass) {
	seen := map[string]bool{}
	for _, p := range pass.Table {
		if !seen[p.Name] {
			list = append(list, p)
		}
		seen[p.Name] = true
	}
	return list
}

// A section is a file of an archive in the txtar format.
type section struct{ name, text string }

func readArchive(t *testing.T, name string) (comment string, files []section) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if n, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "-- "); ok {
			files = append(files, section{name: strings.TrimSuffix(n, " --")})
		} else if len(files) == 0 {
			comment += line
		} else {
			files[len(files)-1].text += line
		}
	}
	return comment, files
}

// TestPasses runs each pass by itself on the functions of its archive: NAME/in gives
// NAME/out.
func TestPasses(t *testing.T) {
	for _, p := range distinct() {
		t.Run(p.Name, func(t *testing.T) {
			eachOfArchive(t, p.Name, func(_, text string) string { return applied(t, p, text) })
		})
	}
}

// eachOfArchive compares what is made of NAME/in with NAME/out, for all of an archive, or writes that with UPDATE=1.
func eachOfArchive(t *testing.T, archive string, made func(name, text string) string) {
	t.Helper()
	file := filepath.Join("testdata", archive+".txtar")
	comment, files := readArchive(t, file)
	var updated strings.Builder
	updated.WriteString(comment)
	for i, f := range files {
		name, ok := strings.CutSuffix(f.name, "/in")
		if !ok {
			continue
		}
		got := made(name, f.text)
		fmt.Fprintf(&updated, "-- %s/in --\n%s-- %s/out --\n%s", name, f.text, name, got)
		if os.Getenv("UPDATE") == "" && (i+1 == len(files) || files[i+1].text != got) {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(updated.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// applied is the text of a function after a pass; done again, the pass changes nothing
// that it has not changed before.
func applied(t *testing.T, p pass.Pass, text string) string {
	t.Helper()
	f, err := ir.Parse(text)
	if err == nil {
		err = ir.Verify(f)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	p.Run(f)
	if err := ir.Verify(f); err != nil {
		t.Fatalf("%v\n%s", err, f)
	}
	sameEffects(t, text, f)
	got := f.String()
	p.Run(f)
	if again := f.String(); again != got {
		t.Errorf("again, it gives\n%s", again)
	}
	return got
}

// An effect is a value that reads, writes or can fail, with the control flow it is
// in: what no pass may add, remove, move to another block or change the order of. It may be gone with an
// if of which a round of a loop knows the condition.
type effect struct {
	what, where string
	gone        bool
}

func (e effect) is(o effect) bool { return e.what == o.what && e.where == o.where }

// effects are those of f in order; of a loop of known rounds that is not among what is left, in each round. What both
// arms of an if end with is behind it: where it stands in one of them and where in both is the same.
func effects(f *ir.Func, left map[string]bool) []effect {
	var visit func(b *ir.Block, unrolled, gone bool) []effect
	visit = func(b *ir.Block, unrolled, gone bool) (list []effect) {
		for _, v := range b.Values {
			if !v.Pure() && !v.IsControl() && !v.IsTerm() {
				list = append(list, effect{fmt.Sprintf("%s @%s %q", ir.OpName(v.Op), v.Pos, v.Text), "", gone})
			}
			n, stands := rounds(v), left[v.Pos.String()]
			for range n {
				if !stands {
					list = append(list, visit(v.Blocks[0], true, gone)...)
				}
			}
			if n > 0 && !stands {
				continue
			}
			decided := v.Op == ir.If && unrolled && !stands
			var arms [][]effect
			for _, inner := range v.Blocks {
				arms = append(arms, visit(inner, unrolled || decided, gone || decided))
			}
			var behind []effect
			if v.Op == ir.If && !decided {
				behind = sameEnd(arms[0], arms[1])
			}
			for i, arm := range arms {
				for _, e := range arm[:len(arm)-len(behind)] {
					if !decided {
						e.where = fmt.Sprintf("/%s%d@%s%s", ir.OpName(v.Op), i, v.Pos, e.where)
					}
					list = append(list, e)
				}
			}
			list = append(list, behind...)
		}
		return list
	}
	return visit(f.Body, false, false)
}

// sameEnd is what both lists end with.
func sameEnd(x, y []effect) []effect {
	n := 0
	for n < min(len(x), len(y)) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return x[len(x)-n:]
}

// rounds is how many a loop has that goes up from one constant to another, else 0.
func rounds(v *ir.Value) int {
	if v.Op != ir.For || v.Args[0].Op != op.Const || v.Args[1].Op != op.Const || v.Index < 1 {
		return 0
	}
	return (int(v.Args[1].Bits) - int(v.Args[0].Bits) + v.Index - 1) / v.Index
}

// sameEffects checks that the effects of f are those of what it was made of, in order, but for checks
// that cannot fail. An access may have become several, of one tensor each.
func sameEffects(t testing.TB, text string, f *ir.Func) {
	t.Helper()
	left := map[string]bool{}
	f.Values(func(v *ir.Value) {
		if v.Op == ir.For || v.Op == ir.If {
			left[v.Pos.String()] = true
		}
	})
	compact := func(list []effect) []effect { return slices.CompactFunc(list, effect.is) }
	before, after := compact(effects(ir.MustParse(text), left)), compact(effects(f, left))
	for _, e := range before {
		if len(after) > 0 && after[0].is(e) {
			after = after[1:]
		} else if !e.gone && !strings.HasPrefix(e.what, "fits ") && !strings.HasPrefix(e.what, "floordiv ") && !strings.HasPrefix(e.what, "mod ") {
			t.Fatalf("%s in %q is gone or moved\n%s", e.what, e.where, f)
		}
	}
	if len(after) > 0 {
		t.Fatalf("%s in %q is new, or moved\n%s", after[0].what, after[0].where, f)
	}
}

// TestPassesKeepMeaning runs random kernels through each pass and through all of them:
// the interpreter's memory, messages and failures are the same before and after, so
// no −0 and no NaN is lost; and effects keep their place.
func TestPassesKeepMeaning(t *testing.T) {
	n := uint64(15)
	if os.Getenv("TILER_LONG") != "" {
		n = 300
	}
	all := pass.Pass{Name: "all", Run: func(f *ir.Func) {
		if err := pass.Run(f, pass.Options{Verify: true}); err != nil {
			panic(err)
		}
	}}
	for seed := range n {
		text := random.Kernel(seed).String()
		grid, build := [3]int{2, 1, 1}, random.Args(seed)
		want, wantWorld := kerneltest.Run(t, ir.MustParse(text), grid, build, kerneltest.RunEager)
		for _, p := range append(distinct(), all) {
			f := ir.MustParse(text)
			p.Run(f)
			if err := ir.Verify(f); err != nil {
				t.Fatalf("seed %d: %s: %v\n%s", seed, p.Name, err, f)
			}
			sameEffects(t, text, f)
			got, gotWorld := kerneltest.Run(t, f, grid, build, kerneltest.RunEager)
			if s := kerneltest.Differ(got, want, gotWorld, wantWorld); s != "" {
				t.Fatalf("seed %d: %s: %s\nbefore\n%s\nafter\n%s", seed, p.Name, s, text, f)
			}
		}
	}
}

// TestOptions: passes can be left out and watched, and what breaks a rule is named.
func TestOptions(t *testing.T) {
	f := random.Kernel(1)
	text := f.String()
	disable := map[string]bool{}
	for _, p := range pass.Table {
		disable[p.Name] = true
	}
	if err := pass.Run(f, pass.Options{Disable: disable}); err != nil || f.String() != text {
		t.Errorf("all passes left out, the function changed: %v", err)
	}
	var names []string
	if err := pass.Run(f, pass.Options{Trace: func(name string, _ *ir.Func) { names = append(names, name) }}); err != nil {
		t.Fatal(err)
	}
	if len(names) != len(pass.Table) {
		t.Errorf("%v were traced, want one name for each of %d passes", names, len(pass.Table))
	}
	broken := ir.MustParse(text)
	broken.Body.Values = broken.Body.Values[:len(broken.Body.Values)-1]
	if err := pass.Run(broken, pass.Options{Verify: true}); err == nil || !strings.Contains(err.Error(), "pass "+pass.Table[0].Name) {
		t.Errorf("the error is %v", err)
	}
}

// TestTable: every pass says what it does, and none is called with what it cannot see:
// an op that is not pure is nobody's to drop.
func TestTable(t *testing.T) {
	for _, p := range pass.Table {
		if p.Name == "" || p.Run == nil || p.Doc == "" {
			t.Errorf("row %+v is not complete", p)
		}
		passNamed(t, p.Name)
	}
	for o := op.None + 1; o < op.NumOps; o++ {
		if f := o.Row().Family; (f == op.Memory || f == op.Atomic) && (&ir.Value{Op: o}).Pure() {
			t.Errorf("%s counts as pure", ir.OpName(o))
		}
	}
}
