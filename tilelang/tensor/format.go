package tensor

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Value is one element as it is printed: a float, whose digits depend on the other
// elements, or a text.
type Value struct {
	text  string
	f     float64
	float bool
}

// FloatValue is a Value that is a float.
func FloatValue(v float64) Value { return Value{f: v, float: true} }

// IntValue is a Value that is an integer.
func IntValue(v int64) Value { return Value{text: strconv.FormatInt(v, 10)} }

// BoolValue is a Value that is True or False.
func BoolValue(v bool) Value {
	if v {
		return Value{text: "True"}
	}
	return Value{text: "False"}
}

// TextValue is a Value that is printed as it is, such as ? for one that is unknown.
func TextValue(s string) Value { return Value{text: s} }

// BitsValue is the Value of an element of type d with the given bit pattern.
func BitsValue(d dtype.DType, bits uint64) Value {
	switch {
	case d == dtype.Bool:
		return BoolValue(bits != 0)
	case d.IsFloat():
		return FloatValue(dtype.ToFloat(d, bits))
	case d.IsSigned():
		return IntValue(dtype.ToInt(d, bits))
	}
	return Value{text: strconv.FormatUint(bits, 10)}
}

// Notation is whether floats are printed with an exponent.
type Notation uint8

// The notations.
const (
	AutoNotation  Notation = iota // with an exponent if the range of the values demands it
	PlainNotation                 // 0.0001
	SciNotation                   // 1.0000e-04
)

// FormatOptions says how elements are printed. The zero value prints as PyTorch
// does.
type FormatOptions struct {
	Digits    int      // digits after the point; 0 means 4, a negative number none
	Threshold int      // more elements than this are abbreviated; 0 means 1000, a negative number never
	EdgeItems int      // elements at each end of an abbreviated dimension; 0 means 3
	LineWidth int      // where a row is broken; 0 means 80, a negative number after each element
	Indent    int      // columns already taken on the first line of FormatValues
	NoDType   bool     // leave out dtype=…
	Notation  Notation // whether floats have an exponent
}

func (o FormatOptions) withDefaults() FormatOptions {
	set := func(v *int, zero, negative int) {
		if *v == 0 {
			*v = zero
		} else if *v < 0 {
			*v = negative
		}
	}
	set(&o.Digits, 4, 0)
	set(&o.Threshold, 1000, math.MaxInt)
	set(&o.EdgeItems, 3, 1)
	set(&o.LineWidth, 80, 0)
	set(&o.Indent, 0, 0)
	return o
}

// FormatValues lays out any elements in brackets, one pair per dimension, as PyTorch
// lays out a tensor's: right-aligned in columns, lines broken at the line width, one
// blank line more between blocks for each dimension above the second. at gives
// element i in row-major order; it is asked only for those that are shown.
func FormatValues(shape []int, at func(i int) Value, o FormatOptions) string {
	return layout(shape, at, o.withDefaults())
}

func layout(shape []int, at func(i int) Value, o FormatOptions) string {
	if slices.Contains(shape, 0) {
		return "[]"
	}
	p := printer{o: o, shape: shape, at: at, short: exceeds(shape, o.Threshold)}
	p.collect(0, 0)
	p.style()
	p.print(0, o.Indent)
	return p.out.String()
}

// exceeds reports whether shape, without zeros, has more than n elements.
func exceeds(shape []int, n int) bool {
	total := 1
	for _, s := range shape {
		if s > n/total {
			return true
		}
		total *= s
	}
	return false
}

// FormatNamed is FormatValues with a name and a dtype: name([…], dtype=float16). The
// dtype is left out where it goes without saying: for int32, int64, float32 and bool,
// unless there is no element; a shape that the brackets do not show is given.
func FormatNamed(name string, d dtype.DType, shape []int, at func(i int) Value, o FormatOptions) string {
	o = o.withDefaults()
	o.Indent = len(name) + 1
	s := name + "(" + layout(shape, at, o)
	empty := slices.Contains(shape, 0)
	var suffixes []string
	if empty && len(shape) != 1 {
		suffixes = append(suffixes, "size="+tuple(shape))
	}
	obvious := d == dtype.Float32 || !empty && (d == dtype.Int32 || d == dtype.Int64 || d == dtype.Bool)
	if !obvious && !o.NoDType {
		suffixes = append(suffixes, "dtype="+d.String())
	}
	column := len(s) - strings.LastIndexByte(s, '\n') + 1 // counted as PyTorch does
	for _, suffix := range suffixes {
		if column+len(suffix)+2 > o.LineWidth {
			s += ",\n" + strings.Repeat(" ", o.Indent) + suffix
			column = o.Indent + len(suffix)
			continue
		}
		s += ", " + suffix
		column += len(suffix) + 2
	}
	return s + ")"
}

// A printer lays out one array: collect, then style, then print.
type printer struct {
	o     FormatOptions
	shape []int
	at    func(i int) Value
	short bool // show only the ends of long dimensions

	vals  []Value // those that are shown, in order
	next  int     // the first of vals not printed yet
	sci   bool    // floats have an exponent
	whole bool    // floats are whole numbers: 3.
	width int     // columns of one element
	out   strings.Builder
}

// cut reports whether the middle of dimension k is left out.
func (p *printer) cut(k int) bool { return p.short && p.shape[k] > 2*p.o.EdgeItems }

// shown calls fn for the indices of dimension k that are shown; gap is set on the
// first one after what is left out.
func (p *printer) shown(k int, fn func(i int, gap bool)) {
	n, edge := p.shape[k], p.o.EdgeItems
	for i := 0; i < n; i++ {
		gap := p.cut(k) && i == edge
		if gap {
			i = n - edge
		}
		fn(i, gap)
	}
}

// collect asks for the elements within the block of dimensions k and on that base
// numbers.
func (p *printer) collect(k, base int) {
	if k == len(p.shape) {
		p.vals = append(p.vals, p.at(base))
		return
	}
	p.shown(k, func(i int, _ bool) { p.collect(k+1, base*p.shape[k]+i) })
}

// style chooses how floats are printed and the width of a column. As in PyTorch,
// zeros, infinities and NaN have no say in it.
func (p *printer) style() {
	p.whole, p.width = true, 1
	lo, hi := math.Inf(1), 0.0
	for _, v := range p.vals {
		if a := math.Abs(v.f); v.float && a > 0 && a <= math.MaxFloat64 {
			lo, hi = min(lo, a), max(hi, a)
			p.whole = p.whole && v.f == math.Ceil(v.f)
		}
	}
	if hi > 0 {
		p.sci = hi/lo > 1000 || hi > 1e8 || !p.whole && lo < 1e-4
	}
	if p.o.Notation != AutoNotation {
		p.sci = p.o.Notation == SciNotation
	}
	for _, v := range p.vals {
		if !v.float || v.f != 0 && math.Abs(v.f) <= math.MaxFloat64 {
			p.width = max(p.width, utf8.RuneCountInString(p.text(v)))
		}
	}
}

// text is one element, not padded.
func (p *printer) text(v Value) string {
	switch {
	case !v.float:
		return v.text
	case v.f != v.f:
		return "nan"
	case math.IsInf(v.f, 1):
		return "inf"
	case math.IsInf(v.f, -1):
		return "-inf"
	case p.sci:
		return strconv.FormatFloat(v.f, 'e', p.o.Digits, 64)
	case p.whole:
		return strconv.FormatFloat(v.f, 'f', 0, 64) + "."
	}
	return strconv.FormatFloat(v.f, 'f', p.o.Digits, 64)
}

func (p *printer) element() string {
	s := p.text(p.vals[p.next])
	p.next++
	return strings.Repeat(" ", max(0, p.width-utf8.RuneCountInString(s))) + s
}

// print writes dimensions k and on; the opening bracket stands in column indent.
func (p *printer) print(k, indent int) {
	rank := len(p.shape) - k
	if rank == 0 {
		p.out.WriteString(p.element())
		return
	}
	if rank == 1 {
		p.row(k, indent)
		return
	}
	sep := "," + strings.Repeat("\n", rank-1) + strings.Repeat(" ", indent+1)
	p.out.WriteByte('[')
	first := true
	p.shown(k, func(_ int, gap bool) {
		if !first {
			p.out.WriteString(sep)
		}
		first = false
		if gap {
			p.out.WriteString("..." + sep)
		}
		p.print(k+1, indent+1)
	})
	p.out.WriteByte(']')
}

// row writes the last dimension, broken into lines.
func (p *printer) row(k, indent int) {
	var items []string
	p.shown(k, func(_ int, gap bool) {
		if gap {
			items = append(items, " ...")
		}
		items = append(items, p.element())
	})
	perLine := max(1, (p.o.LineWidth-indent)/(p.width+2))
	p.out.WriteByte('[')
	for i, s := range items {
		switch {
		case i == 0:
		case i%perLine == 0:
			p.out.WriteString(",\n" + strings.Repeat(" ", indent+1))
		default:
			p.out.WriteString(", ")
		}
		p.out.WriteString(s)
	}
	p.out.WriteByte(']')
}

// String prints x as PyTorch does: tensor([[0., 1.], [2., 3.]]), with the elements in
// columns, abbreviated above 1000 elements, and dtype=… where it is not int32, int64,
// float32 or bool.
func (x *Tensor) String() string {
	if x == nil || x.st == nil {
		return "tensor(nil)"
	}
	return x.Format(FormatOptions{})
}

// Format is String with options.
func (x *Tensor) Format(o FormatOptions) string {
	x.must("Format")
	return FormatNamed("tensor", x.d, x.shape, func(i int) Value {
		off := x.off
		for k := len(x.shape) - 1; k >= 0; k-- {
			off += i % x.shape[k] * x.strides[k]
			i /= x.shape[k]
		}
		return BitsValue(x.d, x.st.buf.Bits(off))
	}, o)
}
