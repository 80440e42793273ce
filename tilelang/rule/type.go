// Package rule holds the typing rules of the language: what type an op has for operands of given types, or what is
// wrong with them. Eager ops, the front end and the verifier of the IR ask the same rules. A rule knows neither the
// op's name in the kernel nor its line: who asks puts both into the diagnostic. Nothing is allocated where nothing is
// wrong.
package rule

import (
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// Type is what an operand or a result is: the dtype of its elements and its shape. The
// zero Type is that of a value without a result, or with several.
type Type struct {
	D     dtype.DType
	Shape shape.Shape
}

// IsTile reports whether the type has a shape.
func (t Type) IsTile() bool { return t.Shape.N > 0 }

// Elem is the scalar type of t's elements.
func (t Type) Elem() Type { return Type{D: t.D} }

// As is t with another element type.
func (t Type) As(d dtype.DType) Type { t.D = d; return t }

// String is the type as f32[16,64].
func (t Type) String() string {
	if t.D == dtype.Invalid {
		return "none"
	}
	return t.D.Short() + t.Shape.String()
}

func wrong(format string, args ...any) *diag.Diagnostic {
	return &diag.Diagnostic{Msg: fmt.Sprintf(format, args...)}
}

// maxTileBytes bounds one tile: larger ones are a mistake, and would end the host.
const maxTileBytes = 1 << 30

// Check is the rule of every result: sizes of at least 1, and no more than 1 GiB.
func (t Type) Check() *diag.Diagnostic {
	n := 1
	for _, k := range t.Shape.D[:t.Shape.N] {
		if k < 1 {
			return noSize(t.Shape.Dims()).Fix("leave out empty tiles, or use a mask")
		}
		if n > maxTileBytes/t.D.Size()/k {
			return wrong("a tile %s is over 1 GiB", t).Fix("use smaller blocks and a larger grid")
		}
		n *= k
	}
	return nil
}

func noSize(sizes []int) *diag.Diagnostic {
	return wrong("a tile of shape %s: every dimension must be at least 1", shape.Index(sizes))
}

// Rank is the rule of how many sizes a kernel may give.
func Rank(n int) *diag.Diagnostic {
	if n > shape.MaxRank {
		return wrong("%d dimensions, at most %d are allowed", n, shape.MaxRank)
	}
	return nil
}

// Sizes is the rule of sizes that a kernel gives.
func Sizes(sizes []int) *diag.Diagnostic {
	for _, d := range sizes {
		if d < 1 {
			return noSize(sizes)
		}
	}
	return nil
}

// Element is the rule of a dtype that a kernel asks for.
func Element(d dtype.DType) *diag.Diagnostic {
	if !d.Valid() || d.IsPointer() {
		return wrong("%s is not an element type", d).Fix("use one of tl.Bool, tl.Int8 ... tl.Float64")
	}
	return nil
}

// NoPointer is the rule of ops that take elements only.
func (t Type) NoPointer() *diag.Diagnostic {
	if t.D.IsPointer() {
		return wrong("%s: a pointer tile", t).Fix("load what it points to first: tl.Load(x)")
	}
	return nil
}

// GoName is an element type as a kernel spells it: Float32.
func GoName(d dtype.DType) string {
	if d == dtype.BFloat16 {
		return "BFloat16"
	}
	s := d.String()
	return strings.ToUpper(s[:1]) + s[1:]
}

// Sentence joins operands as messages do: "x, y and z".
func Sentence(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}
