package naming

import (
	"go/constant"
	"go/types"
	"math"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/source"
)

// Constant is a constant as a literal of its type.
func (f *File) Constant(v constant.Value, t types.Type) string {
	if types.IsInterface(t) {
		source.Refuse("a constant of interface type") // the checker gives constants basic types
	}
	b := types.Default(t).Underlying().(*types.Basic)
	rep := f.Spell(b)
	if _, ok := types.Unalias(t).(*types.Named); ok {
		rep = f.Spell(t)
	}
	switch {
	case b.Info()&types.IsBoolean != 0:
		return strconv.FormatBool(constant.BoolVal(v))
	case b.Info()&types.IsString != 0:
		return Converted(rep, "string", strconv.Quote(constant.StringVal(v)))
	case b.Info()&types.IsInteger != 0:
		return integer(constant.ToInt(v), rep, b)
	case b.Info()&types.IsFloat != 0:
		return rep + "(" + float(constant.ToFloat(v), b) + ")"
	}
	re, im := constant.Real(v), constant.Imag(v)
	return rep + "(complex(" + float(re, types.Typ[types.Float64]) + ", " + float(im, types.Typ[types.Float64]) + "))"
}

// Converted is text of the type plain as one of the type rep.
func Converted(rep, plain, text string) string {
	if rep == plain {
		return text
	}
	return rep + "(" + text + ")"
}

func integer(v constant.Value, rep string, b *types.Basic) string {
	text := v.ExactString()
	switch {
	case text == strconv.Itoa(math.MinInt64):
		text = "-9223372036854775807 - 1"
	case rep == "int" && text[0] == '-':
		return "(" + text + ")"
	}
	if rep == "int" && !strings.Contains(text, " ") {
		return text
	}
	return rep + "(" + text + ")"
}

// float is a constant rounded to its type, exactly.
func float(v constant.Value, b *types.Basic) string {
	var text string
	if b.Kind() == types.Float32 {
		f, _ := constant.Float32Val(v)
		text = strconv.FormatFloat(float64(f), 'g', -1, 32)
	} else {
		f, _ := constant.Float64Val(v)
		text = strconv.FormatFloat(f, 'g', -1, 64)
	}
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}
