package rule

import (
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Single is the rule of a tile whose value a kernel asks for.
func (t Type) Single() *diag.Diagnostic {
	switch {
	case t.IsTile() && t.D == dtype.Bool:
		return wrong("%s is not a scalar", t).Fix("choose lane by lane with tl.Where, or reduce first: tl.Max(x).Ne(0).Bool()")
	case t.IsTile():
		return wrong("%s is not a scalar", t).Fix("reduce it first, for example with tl.Sum or tl.Max")
	case t.D.IsPointer():
		return wrong("%s: a pointer", t).Fix("read what it points to: tl.Load(x)")
	}
	return nil
}

// AsInt is the rule of a single tile that becomes a Go int.
func (t Type) AsInt() *diag.Diagnostic {
	if !t.D.IsInt() {
		return wrong("%s is not an integer", t).Fix("convert it first: x.To(tl.Int64).Int()")
	}
	return nil
}

// AsBool is the rule of a single tile that becomes a Go bool.
func (t Type) AsBool() *diag.Diagnostic {
	if t.D != dtype.Bool {
		return wrong("%s is not bool", t).Fix("compare it first: x.Ne(0).Bool()")
	}
	return nil
}
