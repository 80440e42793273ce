package check

import (
	"encoding/json"
	"fmt"
	"math"
	"time"
)

// A Report is what came of one check.
type Report struct {
	Kernel   string    `json:"kernel"`
	Grid     []int     `json:"grid"`
	Launches int       `json:"launches,omitempty"` // that were merged; 0: one
	Programs int       `json:"programs"`           // of the grid
	Ran      int       `json:"ran"`                // of these, checked
	OK       bool      `json:"ok"`                 // no finding is an error
	Promoted bool      `json:"promoted"`           // launches may run compiled
	Engine   string    `json:"engine"`             // what launches run in
	ToGo     []string  `json:"to_go,omitempty"`    // what its code leaves to Go, and where: "line 10: sort of f32"
	Findings []Finding `json:"findings"`           // warnings first, then errors, then notes
	Coverage Coverage  `json:"coverage"`           // how much of the tiles did something
	Varied   Varied    `json:"varied"`             // what was tried beyond the arguments
	Times    Times     `json:"times"`              // in seconds
	Err      string    `json:"err,omitempty"`      // why the check did not come to an end
}

// Coverage is the share of lanes that were active.
type Coverage struct {
	Active int    `json:"active"` // lanes that loads, stores and atomics let through
	Lanes  int    `json:"lanes"`  // all their lanes
	Sites  []Site `json:"sites"`  // by place in the kernel
}

// A Site is the coverage of one load, store or atomic.
type Site struct {
	File       string      `json:"file"`
	Line       int         `json:"line"`
	Op         string      `json:"op"`
	Tensor     string      `json:"tensor"`
	Active     int         `json:"active"`
	Lanes      int         `json:"lanes"`
	Iterations []Iteration `json:"iterations,omitempty"` // by how often a program has come here; none for a single time, and for more than 256
}

// An Iteration is a site's coverage the n-th time that programs come to it.
type Iteration struct {
	Active int `json:"active"`
	Lanes  int `json:"lanes"`
}

// Varied says which variations of the arguments were tried.
type Varied struct {
	Sizes []Size   `json:"sizes"`           // what was recognised as a size
	Tried []string `json:"tried"`           // as in "n: 100 → 99"
	Why   string   `json:"why,omitempty"`   // why there is none, or not all
	Order string   `json:"order,omitempty"` // of the instances
}

// A Size is parameters and dimensions of tensors that have one value and vary together.
type Size struct {
	Value  int      `json:"value"`
	Params []string `json:"params"` // "n"
	Dims   []string `json:"dims"`   // "x.Dim(0)"
}

// Times is how long the parts took.
type Times struct {
	Check      time.Duration // the launch itself, interpreted and watched
	Reference  time.Duration // the user's reference, and the comparison
	Variations time.Duration
	Compile    time.Duration // 0: it was compiled before
	Verify     time.Duration // compiled against interpreted
	// Interpreted and Compiled are the launch in both engines, of a kernel that was promoted.
	Interpreted, Compiled time.Duration
}

// MarshalJSON gives seconds.
func (t Times) MarshalJSON() ([]byte, error) { return json.Marshal(t.seconds()) }

// UnmarshalJSON reads seconds.
func (t *Times) UnmarshalJSON(b []byte) error {
	var s seconds
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	d := func(s float64) time.Duration { return time.Duration(math.Round(s * 1e9)) }
	*t = Times{d(s.Check), d(s.Reference), d(s.Variations), d(s.Compile), d(s.Verify), d(s.Interpreted), d(s.Compiled)}
	return nil
}

type seconds struct {
	Check      float64 `json:"check"`
	Reference  float64 `json:"reference"`
	Variations float64 `json:"variations"`
	Compile    float64 `json:"compile"`
	Verify     float64 `json:"verify"`

	Interpreted float64 `json:"interpreted"`
	Compiled    float64 `json:"compiled"`
}

func (t Times) seconds() seconds {
	return seconds{t.Check.Seconds(), t.Reference.Seconds(), t.Variations.Seconds(), t.Compile.Seconds(), t.Verify.Seconds(),
		t.Interpreted.Seconds(), t.Compiled.Seconds()}
}

// Add adds findings and brings all into order: warnings first, because what only a
// variation shows is easily missed, then errors, then notes. OK is whether no finding
// is an error.
func (r *Report) Add(fs ...Finding) {
	r.Findings = append(r.Findings, fs...)
	sortFindings(r.Findings)
	r.OK = r.Count(Error) == 0 && r.Err == ""
}

// Count is how many findings have a severity.
func (r *Report) Count(s Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// Excuse makes notes of iterations that do nothing: the results are right all the same.
func (r *Report) Excuse() {
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Kind == DeadLanes {
			f.Severity = Note
		}
	}
	r.Add()
}

// Failed reports whether there is an error or a warning: what tiler check exits 1 for.
func (r *Report) Failed() bool { return !r.OK || r.Count(Warning) > 0 }

// Of is the findings of a kind.
func (r *Report) Of(k Kind) (fs []Finding) {
	for _, f := range r.Findings {
		if f.Kind == k {
			fs = append(fs, f)
		}
	}
	return fs
}

// Problem is what a report with an error says in one line, as an error; nil if it has
// none.
func (r *Report) Problem() error {
	if r.OK {
		return nil
	}
	if r.Err != "" {
		return fmt.Errorf("%s: %s", r.Kernel, r.Err)
	}
	n := r.Count(Error)
	for _, f := range r.Findings {
		if f.Severity != Error {
			continue
		}
		more := ""
		if n > 1 {
			more = fmt.Sprintf(" (and %s)", Plural(n-1, "other error"))
		}
		return fmt.Errorf("%s: check failed: %s%s: %s%s", r.Kernel, f.Place(), f.Kind, f.Msg, more)
	}
	return fmt.Errorf("%s: check failed", r.Kernel)
}

// NewReport is an empty report of a launch.
func NewReport(kernel string, grid []int, programs int) *Report {
	return &Report{Kernel: kernel, Grid: grid, Programs: programs, OK: true, Engine: "interpreted", Findings: []Finding{},
		Coverage: Coverage{Sites: []Site{}}, Varied: Varied{Sizes: []Size{}, Tried: []string{}}}
}
