package check

import (
	"encoding/json"
	"fmt"
	"slices"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Kind says what is wrong.
type Kind string

// The kinds of findings.
const (
	OutOfBounds    Kind = "out-of-bounds"   // a lane lies outside the tensor, or between the elements of a view
	WrongRow       Kind = "wrong-row"       // inside the tensor, but across the edge of the row it was meant for
	Race           Kind = "race"            // instances meet at an element, and one writes it
	DuplicateStore Kind = "duplicate-store" // two lanes of one store have one address
	Undefined      Kind = "undefined"       // a value that nothing has written is stored, or decides something
	Overflow       Kind = "overflow"        // an index wrapped, or a shift or cast is out of range
	DivByZero      Kind = "div-by-zero"     // an integer was divided by zero
	Reference      Kind = "reference"       // an output differs from the reference's
	DeadLanes      Kind = "dead-lanes"      // an iteration or a program that does nothing
	NotPortable    Kind = "not-portable"    // Triton would refuse it
	DType          Kind = "dtype"           // a type is chosen, or precision lost, where one may not expect it
	EngineMismatch Kind = "engine-mismatch" // compiled code gives other bits
	Unsupported    Kind = "unsupported"     // it cannot be compiled
	Fault          Kind = "fault"           // a program failed in another way: an assertion, shapes, a panic
	Promise        Kind = "promise"         // a promise such as tl.MultipleOf does not hold
	Endless        Kind = "endless"         // a program does not end
	Unwritten      Kind = "unwritten"       // elements of an output that no program writes
	NotFinite      Kind = "not-finite"      // NaN or an infinity, made of numbers, is stored
	Strides        Kind = "strides"         // a tensor is walked by strides that are not its own
	Unchanged      Kind = "unchanged"       // a launch that leaves an output as it was
	Invariance     Kind = "invariance"      // bits that depend on the block, the batch or the order of programs
)

// Kinds is every kind.
func Kinds() []Kind {
	return []Kind{OutOfBounds, WrongRow, Race, DuplicateStore, Undefined, Overflow, DivByZero, Reference,
		DeadLanes, NotPortable, DType, EngineMismatch, Unsupported, Fault, Promise, Endless,
		Unwritten, NotFinite, Strides, Unchanged, Invariance}
}

// A Severity says what a finding means for the kernel.
type Severity uint8

// The severities, in order. What only a variation of the arguments finds is a Warning:
// the kernel is right for the sizes it was checked on.
const (
	Note Severity = iota
	Warning
	Error
)

var severities = [...]string{"note", "warning", "error"}

// String is note, warning or error.
func (s Severity) String() string {
	if int(s) < len(severities) {
		return severities[s]
	}
	return fmt.Sprintf("severity %d", s)
}

// MarshalText is String.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (s *Severity) UnmarshalText(text []byte) error {
	i := slices.Index(severities[:], string(text))
	if i < 0 {
		return fmt.Errorf("check: no severity %q", text)
	}
	*s = Severity(i)
	return nil
}

// A Finding is one thing that is wrong, at one line of the kernel.
//
// As JSON it has the place as file and line, and text, notes and fix as they print.
type Finding struct {
	diag.Diagnostic `json:"-"` // where, what, why, and what to do

	Kind     Kind     `json:"kind"`
	Severity Severity `json:"severity"`
	Op       string   `json:"op,omitempty"`
	PID      []int    `json:"pid"`    // the first program it was seen in
	At       []int    `json:"at"`     // the first lane's coordinate in its tile
	Tensor   string   `json:"tensor"` // what the kernel calls it
	Index    []int    `json:"index"`  // that lane's index in the tensor, also where it would be one

	Lanes     int        `json:"lanes,omitempty"`     // lanes concerned, in all programs
	Programs  int        `json:"programs,omitempty"`  // programs concerned
	Furthest  int        `json:"furthest,omitempty"`  // of OutOfBounds: elements past the end, at most
	Source    string     `json:"source,omitempty"`    // the line of the kernel
	Picture   string     `json:"picture,omitempty"`   // the first tile: o active, · masked off, » in the wrong row, ? undefined, X outside or else wrong
	Data      tl.Sources `json:"-"`                   // the tensors whose elements led there
	Launches  int        `json:"launches,omitempty"`  // of a Merged report: launches that it was found in
	Launch    string     `json:"launch,omitempty"`    // of a Merged report: the first, if that is not the report's own
	Follows   []Finding  `json:"follows,omitempty"`   // what follows from it, each once
	Variation string     `json:"variation,omitempty"` // the change of the arguments that it was found under
}

// Error is String.
func (f *Finding) Error() string { return f.String() }

// findingJSON is a finding as JSON has it.
type findingJSON struct {
	Kind     Kind     `json:"kind"`
	Severity Severity `json:"severity"`
	File     string   `json:"file"`
	Line     int      `json:"line"` // 0: unknown
	fields
	Text  string   `json:"text"`
	Notes []string `json:"notes,omitempty"`
	Fix   string   `json:"fix,omitempty"`
}

type fields Finding

// MarshalJSON writes what UnmarshalJSON reads.
func (f Finding) MarshalJSON() ([]byte, error) {
	j := findingJSON{f.Kind, f.Severity, f.Pos.File, f.Pos.Line, fields(f), f.Msg, nil, f.advice()}
	for _, n := range f.Notes {
		j.Notes = append(j.Notes, n.At(placeOf(n.Pos)))
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads a finding; the places of its notes are text.
func (f *Finding) UnmarshalJSON(text []byte) error {
	var j findingJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	*f = Finding(j.fields)
	f.Kind, f.Severity = j.Kind, j.Severity
	f.Diagnostic = diag.Diagnostic{Pos: diag.Pos{File: j.File, Line: j.Line}, Msg: j.Text}
	for _, n := range j.Notes {
		f.Note("%s", n)
	}
	if j.Fix != "" {
		f.Fix("%s", j.Fix)
	}
	return nil
}
