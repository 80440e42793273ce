package kerneltest_test

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/exec/kerneltest/corpus"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// An outcome is what a launch did.
type outcome struct {
	err     string
	printed string
	made    kerneltest.Made
}

func run(k *exec.Kernel, c kerneltest.Case, engine string) (o outcome) {
	o.made = c.Make()
	var out bytes.Buffer
	opts := exec.Options{Engine: engine, Output: &out}
	if c.Row.Serial {
		opts.Workers = 1
	}
	if engine == "interpreted" || engine == "portable" {
		defer unfenced()()
	}
	if err := k.With(opts).Launch(exec.Grid(o.made.Grid), o.made.Args...); err != nil {
		o.err = err.Error()
	}
	o.printed = out.String()
	return o
}

// unfenced gives what a launch at length allocates memory without fences, until what it returns is called. It is for
// engines in Go, which checks the bounds of their tiles: most fences would be those, and take more time than all
// engines. Their tensors keep fences, and TestFences and the packages' own tests fence their tiles.
func unfenced() func() {
	mode := dtype.Fenced()
	if !long() || mode == dtype.NoFence {
		return func() {}
	}
	dtype.SetFence(dtype.NoFence)
	return func() { dtype.SetFence(mode) }
}

// differs says how a launch differs from the interpreter's, or "".
func (o outcome) differs(want outcome) string {
	switch {
	case o.err != want.err:
		return fmt.Sprintf("error\n%s\nwant\n%s", o.err, want.err)
	case o.printed != want.printed && want.err == "":
		return fmt.Sprintf("printed\n%s\nwant\n%s", o.printed, want.printed)
	}
	return o.made.Changed(want.made, want.err != "")
}

// sampled picks some of a row's cases: every dtype, operation, size and mask has its
// turn.
func sampled(row *kerneltest.Row) []kerneltest.Case {
	cases := row.Cases()
	if long() {
		return cases
	}
	h := fnv.New32a()
	h.Write([]byte(row.Name))
	const few = 1
	var out []kerneltest.Case
	for i := range few {
		out = append(out, cases[(int(h.Sum32())+i*(len(cases)/few+1)+i*7)%len(cases)])
	}
	return out
}

// TestRowNames is about rows of one name, which replay and TILER_CASE would take for one.
func TestRowNames(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range corpus.Rows() {
		if seen[row.Name] {
			t.Errorf("two rows are named %s", row.Name)
		}
		seen[row.Name] = true
	}
}

// TestCorpus runs the corpus in every engine: all of it with TILER_LONG=1, else a
// sample. TILER_CASE=Name/... runs the cases of that prefix, TILER_PART=0/2 every other one.
func TestCorpus(t *testing.T) {
	prefix := os.Getenv("TILER_CASE")
	total := 0
	for _, row := range corpus.Rows() {
		t.Run(row.Name, func(t *testing.T) {
			k := exec.New(row.Fn)
			cases := sampled(row)
			if prefix != "" {
				cases = row.Cases()
			}
			failed := 0
			for i, c := range cases {
				if !strings.HasPrefix(c.String(), prefix) || !kerneltest.InPart(t, i) {
					continue
				}
				total++
				if compareCase(t, k, c); t.Failed() {
					if failed++; failed == 5 {
						t.Fatal("and so on")
					}
				}
			}
		})
	}
	t.Logf("%d launches in each of %v %s", total, exec.Engines(), os.Getenv("TILER_PART"))
}

func compareCase(t *testing.T, k *exec.Kernel, c kerneltest.Case) {
	t.Helper()
	want := run(k, c, "interpreted")
	if want.err != "" && !c.Row.Fails {
		t.Errorf("%s: interpreted: %s", c, want.err)
		return
	}
	for _, engine := range exec.Engines()[1:] {
		got := run(k, c, engine)
		if s := got.differs(want); s != "" {
			t.Errorf("%s: %s: %s\n\tTILER_CASE=%s go test ./exec/kerneltest -run 'TestCorpus/%s$'", c, engine, s, c, c.Row.Name)
		}
	}
}
