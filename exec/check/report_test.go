package check

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tiler-go/tiler/tilelang/diag"
)

func sample() *Report {
	at := func(line int, text string) *diag.Diagnostic {
		return diag.At(diag.Pos{File: "k.go", Line: line}, "%s", text)
	}
	r := &Report{Kernel: "mm", Grid: []int{3, 2}, Programs: 6, Ran: 6, Engine: "interpreted", Times: Times{Check: 1500 * time.Microsecond}}
	r.Coverage = Coverage{Active: 3, Lanes: 4, Sites: []Site{{File: "k.go", Line: 5, Op: "tl.Load", Tensor: "x", Active: 3, Lanes: 4}}}
	r.Add(
		Finding{Diagnostic: *at(9, "a note"), Kind: DType, Severity: Note},
		Finding{Diagnostic: *at(5, "lane [1,0] is x[33,0]").Note("x is f16[33,64]").Fix("mask it"), Kind: OutOfBounds, Severity: Error, Op: "tl.Load",
			PID: []int{2, 0}, At: []int{1, 0}, Tensor: "x", Index: []int{33, 0}, Lanes: 1920, Programs: 2, Source: "a := tl.Load(p)", Picture: "ooX"},
		Finding{Diagnostic: *at(7, "a warning"), Kind: WrongRow, Severity: Warning, PID: []int{0, 0}, Variation: "n: 32 → 33"},
	)
	return r
}

func TestText(t *testing.T) {
	const want = `check mm on grid (3,2): FAILED
	6 programs checked in 1.5ms, 1 error, 1 warning, 1 note

k.go:7: warning: wrong-row: a warning
	found with n: 32 → 33
	in program (0,0)

k.go:5: error: out-of-bounds: lane [1,0] is x[33,0]
	  a := tl.Load(p)
	1920 lanes in 2 programs, first in program (2,0), the first at [1,0] of its tile
	x is f16[33,64]
	ooX
	fix: mask it

k.go:9: note: dtype: a note

lanes active: 3 of 4 (75 %)
	k.go:5: tl.Load of x: 3 of 4 (75 %)
`
	if got := sample().String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestJSON(t *testing.T) {
	r := sample()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"kernel":"mm","grid":[3,2],"programs":6`, `"ok":false,"promoted":false,"engine":"interpreted"`,
		`"kind":"out-of-bounds","severity":"error","file":"k.go","line":5`, `"pid":[2,0],"at":[1,0],"tensor":"x","index":[33,0]`, `"times":{"check":0.0015,`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	var back Report
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(&back, r) {
		t.Errorf("read back: %v\n%+v\nwant\n%+v", err, &back, r)
	}
}

// TestNotePlaces: the place of a note is data, and in the text where the sentence has it.
func TestNotePlaces(t *testing.T) {
	there := diag.Pos{File: "k.go", Line: 7}
	f := Finding{Kind: Race, Severity: Error}
	f.NoteAt(there, "the other access is tl.Load at %s", diag.Here).NoteAt(there, "assigned here").Note("nowhere")
	want := []Line{{Fact, "the other access is tl.Load at k.go:7"}, {Fact, "k.go:7: assigned here"}, {Fact, "nowhere"}}
	if got := f.Lines(); !slices.Equal(got, want) || f.Notes[0].Pos != there {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestProblem(t *testing.T) {
	const want = "mm: check failed: k.go:5: out-of-bounds: lane [1,0] is x[33,0]"
	if err := sample().Problem(); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	r := &Report{OK: true}
	r.Add(Finding{Kind: DType}, Finding{Kind: WrongRow, Severity: Warning})
	if r.Problem() != nil || !r.OK || !r.Failed() || len(r.Of(DType)) != 1 {
		t.Errorf("a warning blocks: %+v", r)
	}
}
