package host

import (
	"reflect"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/box"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Step is a statement of a kernel that has been done.
type Step struct {
	Pos    diag.Pos
	Source string   // its first line
	Names  []string // the variables that it gave values to
	Values []Value
}

// A walk is a kernel that is done step by step.
type walk struct {
	args []any
	step func(Step) error
}

// Walk calls the kernel that is done step by step.
func (h *Host) Walk(kernel any) {
	fn := reflect.ValueOf(kernel)
	in := make([]reflect.Value, len(h.walk.args))
	for i, a := range h.walk.args {
		in[i] = reflect.ValueOf(a)
		if want := fn.Type().In(i); in[i].Type() != want && in[i].CanConvert(want) {
			in[i] = in[i].Convert(want)
		}
	}
	returned := false
	defer func() {
		if p := in[0].Interface().(*tl.Program); !returned && p.Line > 0 {
			h.now.Load().line = p.Line
		}
	}()
	fn.Call(in)
	returned = true
}

// Step is called after a statement: with its mark, the variables that it gave values
// to, and for each the number of its type and the value.
func (h *Host) Step(mark int, names string, pairs ...any) {
	tell := h.env.Step
	if h.walk != nil {
		tell = h.walk.step
	}
	pos := h.env.Place(mark)
	st := Step{Pos: pos, Source: h.lineAt(pos)}
	if names != "" {
		st.Names = strings.Split(names, " ")
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		v := pairs[i+1]
		st.Values = append(st.Values, Value{V: box.Bare(v), Box: v, Type: h.env.Boxes.Type(pairs[i].(int))})
	}
	h.streams.flush()
	if err := tell(st); err != nil {
		h.now.Load().halt(err)
		h.leave()
	}
}

// lineAt is a line of the program.
func (h *Host) lineAt(pos diag.Pos) string {
	lines := strings.Split(h.env.Text(pos.File), "\n")
	if pos.Line < 1 || pos.Line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[pos.Line-1])
}

// Given is a value that a variable is given.
func (h *Host) Given(i int) any { return h.given[i] }
