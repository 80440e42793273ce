package value

import (
	"strings"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Condition is a value as a bool of Go's.
func (p *Printer) Condition(v Value) Value {
	t := Type{Kind: Bool, DType: dtype.Bool}
	switch v.Kind {
	case Bool:
		return v
	case None:
		return Known(false)
	case Text:
		return Infix(Operators["!="], v, Of(`""`, v.Type), t)
	case Int:
		t.Weak = v.Weak
		return Infix(Operators["!="], v, Of("0", v.Type), t)
	case Tile:
		if v.Ptr {
			p.Refuse("a pointer as a condition")
		}
		return p.TruthTile(v).Method(t, "Bool")
	}
	p.Refuse("%s as a condition", v.Kind)
	return v
}

// TruthTile is a tile of bools.
func (p *Printer) TruthTile(v Value) Value {
	if v.Kind != Tile {
		return p.Condition(v)
	}
	if v.DType == dtype.Bool {
		return v
	}
	return v.Method(TileOf(dtype.Bool), "Ne", "0")
}

// Both is a condition of two.
func (p *Printer) Both(o string, x, y Value) Value {
	x, y = p.Condition(x), p.Condition(y)
	prec := AndPrec
	if o == "||" {
		prec = OrPrec
	}
	for i, v := range []Value{x, y} {
		if v.Static == nil {
			continue
		}
		if *v.Static == (o == "||") {
			return v
		}
		return []Value{y, x}[i]
	}
	t := Type{Kind: Bool, Weak: x.Weak && y.Weak, DType: dtype.Bool}
	return Value{Code: x.At(prec) + " " + o + " " + y.At(prec+1), Prec: prec, Type: t}
}

// Negated is a condition's opposite.
func Negated(c Value) Value {
	if c.Static != nil {
		return Known(!*c.Static)
	}
	if number, ok := strings.CutSuffix(c.Code, " != 0"); ok && c.Prec == ComparePrec && !strings.Contains(number, " ") {
		c.Code = number + " == 0"
		return c
	}
	return Value{Code: "!" + c.At(UnaryPrec), Prec: UnaryPrec, Type: c.Type}
}

// truthIs compares a number with True or False.
func (p *Printer) truthIs(o string, x, y Value) Value {
	if x.Static != nil {
		x, y = y, x
	}
	if y.Static == nil || o != "==" && o != "!=" {
		p.Refuse("a bool in arithmetic has no counterpart in Go")
	}
	if x.Kind == Int && !x.Weak {
		p.Become(x.Param, Type{Kind: Bool})
	}
	c := p.Condition(x)
	if *y.Static == (o == "==") {
		return c
	}
	return Negated(c)
}

// Compare is x o y, for one of Python's comparisons.
func (p *Printer) Compare(o string, x, y Value) Value {
	switch o {
	case "is", "is not":
		if x.Kind == DType && y.Kind == DType {
			return p.Binary(map[string]string{"is": "==", "is not": "!="}[o], x, y)
		}
		return p.isNone(o == "is", x, y)
	case "in", "not in":
		return p.among(o == "in", x, y)
	}
	return p.Binary(o, x, y)
}

// among is x in (a, b).
func (p *Printer) among(in bool, x, y Value) Value {
	z := Known(false)
	for _, e := range y.Parts {
		z = p.Both("||", z, p.Binary("==", x, e))
	}
	if in {
		return z
	}
	return Negated(z)
}

// compareOthers compares texts and dtypes.
func (p *Printer) compareOthers(o string, x, y Value) Value {
	if o != "==" && o != "!=" {
		p.Refuse("%s %s %s has no counterpart in Go", x.Kind, o, y.Kind)
	}
	if x.Kind != y.Kind {
		other, it := x, y
		if x.Kind == Text || x.Kind == DType {
			other, it = y, x
		}
		p.Become(other.Param, Type{Kind: it.Kind})
		if other.Kind == None {
			return Known(o == "!=")
		}
		p.Refuse("%s is compared with %s", x.Kind, y.Kind)
	}
	return Infix(Operators[o], x, y, WeakBool)
}

// isNone is x is None.
func (p *Printer) isNone(is bool, x, y Value) Value {
	if x.Kind == None {
		x, y = y, x
	}
	if y.Kind != None {
		p.Refuse("is tells only None")
	}
	if x.Kind == None {
		return Known(is)
	}
	if x.Kind != Tile && x.Param != "" && x.Name == x.Param && !x.Weak {
		p.Become(x.Name, Pointer)
	}
	if x.Kind != Tile || !x.Ptr || x.Name == "" {
		return Known(!is)
	}
	v := x.Method(WeakBool, "IsNil")
	if !is {
		v.Code, v.Prec = "!"+v.Code, UnaryPrec
	}
	return v
}
