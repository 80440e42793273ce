package sanitizer

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	tl "github.com/tiler-go/tiler/tilelang"
)

// A hint says what to do about an access in the kernel's own names, as far as its line tells them.
type hint struct{ *visitor }

// lives is how many lanes there are to carry out, in bounds or not.
func (w hint) lives() (n int) {
	for i := range w.a.Offsets {
		if w.on(i) {
			n++
		}
	}
	return n
}

// outside is what to do about n lanes that are outside of the tensor.
func (w hint) outside(n int) string {
	a := w.a
	switch {
	case strings.HasPrefix(a.Op, "Desc."):
		return fmt.Sprintf("give tl.MakeDesc the shape of %s: []int{%s}", a.Base.Name, w.sizes())
	case strings.HasPrefix(a.Op, "BlockPtr.") && w.checkedAll():
		return fmt.Sprintf("give tl.MakeBlockPtr the shape of %s: []int{%s}", a.Base.Name, w.sizes())
	case n == w.lives() && len(a.Offsets) > 1:
		return "all of the block is outside: look at where it begins, not at its mask"
	case strings.HasPrefix(a.Op, "BlockPtr."):
		return "have the block's edges checked: " + w.checks()
	case len(a.Shape) == 0:
		return "compare the index with the size first, or pass tl.Mask(i < n)"
	case a.Active != nil:
		return "the mask lets these lanes through: compare every index with its own size"
	}
	return "mask the lanes beyond the tensor's edge: " + w.mask()
}

// sizes is the tensor's dimensions, by the kernel's names.
func (w hint) sizes() string {
	var names []string
	for _, n := range w.a.Base.Tensor.Shape() {
		names = append(names, w.sizeName(n))
	}
	return strings.Join(names, ", ")
}

// sizeName is what the kernel calls a size, or the number.
func (w hint) sizeName(n int) string {
	if s := w.c.Size; s != nil {
		if name := s(n); name != "" {
			return name
		}
	}
	return fmt.Sprint(n)
}

// line is the kernel's text at the access.
func (w hint) line() string {
	return w.c.text(w.c.pos(w.a.Pos))
}

// axesText is the numbers of a block's axes, as an option takes them.
func (w hint) axesText() string {
	var axes []string
	for k := range w.a.Shape {
		axes = append(axes, fmt.Sprint(k))
	}
	return strings.Join(axes, ", ")
}

// checkedAll reports whether the line checks all of a block's axes.
func (w hint) checkedAll() bool {
	return strings.Contains(w.line(), "tl.BoundaryCheck("+w.axesText()+")")
}

var blockAccess = regexp.MustCompile(`(\w+)\.(Load|Store)\(`)

// checks is the access of a block with all its axes checked.
func (w hint) checks() string {
	name := "b"
	method, _ := strings.CutPrefix(w.a.Op, "BlockPtr.")
	for _, m := range blockAccess.FindAllStringSubmatch(w.line(), -1) {
		if m[2] == method && m[1] != "tl" {
			name = m[1]
			break
		}
	}
	if w.a.Kind == tl.Loads {
		return fmt.Sprintf("%s.Load(tl.BoundaryCheck(%s), tl.PadZero)", name, w.axesText())
	}
	return fmt.Sprintf("%s.Store(..., tl.BoundaryCheck(%s))", name, w.axesText())
}

// mask is a mask for the access, in the kernel's own names as far as they are known.
func (w hint) mask() string {
	return fmt.Sprintf("tl.Mask(%s.Lt(%s))", w.indexName(), w.sizeName(int(w.v.span)))
}

// indexName is what the kernel calls the index of the access, where its line tells.
func (w hint) indexName() string {
	const unknown = "offs"
	line := w.line()
	for _, begin := range []string{w.a.Base.Name + ".Add(", w.a.Base.Name + " + ", w.a.Base.Name + "+"} {
		_, rest, ok := strings.Cut(line, begin)
		if !ok {
			continue
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if end > 0 && strings.HasPrefix(rest[end:], ")") {
			return rest[:end]
		}
	}
	return unknown
}

var axisNames = regexp.MustCompile(`(\w+)(?:\.(Row|Col)\(\)|\[(None, :|:, None)\])`)

// row is a mask for an axis of the access that goes beyond a dimension of a size.
func (w hint) row(axis, size int) string {
	last := axis == len(w.a.Shape)-1
	name, form := "i", ".Col()"
	if last {
		name, form = "j", ".Row()"
	}
	if len(w.a.Shape) == 1 {
		name, form = w.indexName(), ""
	}
	for _, m := range axisNames.FindAllStringSubmatch(w.line(), -1) {
		if row := m[2] == "Row" || m[3] == "None, :"; row == last {
			name = m[1]
			break
		}
	}
	return fmt.Sprintf("mask this index with its own size, too: %s%s.Lt(%s)", name, form, w.sizeName(size))
}

// paddedLoad is the load of a block on a line, padded.
func paddedLoad(line string) string {
	i := strings.Index(line, ".Load(tl.BoundaryCheck(")
	if i < 0 {
		return "b.Load(tl.BoundaryCheck(0), tl.PadZero)"
	}
	begin := i
	for begin > 0 && (line[begin-1] == '_' || unicode.IsLetter(rune(line[begin-1])) || unicode.IsDigit(rune(line[begin-1]))) {
		begin--
	}
	end := strings.IndexByte(line[i+len(".Load(tl.BoundaryCheck("):], ')')
	if end < 0 || begin == i {
		return "b.Load(tl.BoundaryCheck(0), tl.PadZero)"
	}
	return line[begin:i+len(".Load(tl.BoundaryCheck(")+end+1] + ", tl.PadZero)"
}
