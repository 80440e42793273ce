package gogen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec/triton/lower"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// An operator is one of Python's: the method of tiles, the function that takes a number on
// its left, and Go's own operator.
type operator struct {
	method string
	left   string // tl.Sub; "" where the operands may change places, by the method other
	other  string
	infix  string
	prec   int
	op     op.Op
}

var operators = map[string]operator{
	"+":  {"Add", "", "Add", "+", addPrec, op.Add},
	"-":  {"Sub", "tl.Sub", "", "-", addPrec, op.Sub},
	"*":  {"Mul", "", "Mul", "*", mulPrec, op.Mul},
	"/":  {"Div", "tl.Div", "", "", mulPrec, op.Div},
	"//": {"FloorDiv", "tl.FloorDiv", "", "/", mulPrec, op.FloorDiv},
	"%":  {"Mod", "tl.Mod", "", "%", mulPrec, op.Mod},
	"&":  {"And", "", "And", "&", mulPrec, op.And},
	"|":  {"Or", "", "Or", "|", addPrec, op.Or},
	"^":  {"Xor", "", "Xor", "^", addPrec, op.Xor},
	"<<": {"Shl", "tl.Shl", "", "<<", mulPrec, op.Shl},
	">>": {"Shr", "tl.Shr", "", ">>", mulPrec, op.Shr},
	"<":  {"Lt", "", "Gt", "<", comparePrec, op.Lt},
	"<=": {"Le", "", "Ge", "<=", comparePrec, op.Le},
	">":  {"Gt", "", "Lt", ">", comparePrec, op.Gt},
	">=": {"Ge", "", "Le", ">=", comparePrec, op.Ge},
	"==": {"Eq", "", "Eq", "==", comparePrec, op.Eq},
	"!=": {"Ne", "", "Ne", "!=", comparePrec, op.Ne},
}

func (f *fn) expr(e syntax.Expr) val {
	f.at = e.Pos()
	switch e := e.(type) {
	case *syntax.Name:
		return f.name(e)
	case *syntax.Number:
		return f.number(e)
	case *syntax.String:
		return call(strconv.Quote(e.Value), typ{k: textKind, weak: true})
	case *syntax.Constant:
		return f.constant(e)
	case *syntax.Tuple:
		return f.tuple(e.Elems)
	case *syntax.List:
		return f.tuple(e.Elems)
	case *syntax.Unary:
		return f.unary(e)
	case *syntax.Binary:
		x := f.expr(e.X)
		if e.Op == "and" || e.Op == "or" {
			return f.logical(e, x)
		}
		y := f.expr(e.Y)
		f.at = e.At
		if e.Op == "**" && x.t.weak && y.t.weak {
			if m, ok := f.file.Meaning(e); ok && m.Known && !f.localIn(e) {
				return f.literal(m.Const)
			}
		}
		return f.binary(e.Op, x, y)
	case *syntax.Compare:
		return f.compare(e)
	case *syntax.IfExp:
		return f.ifExpr(e)
	case *syntax.Call:
		return f.call(e)
	case *syntax.Attribute:
		return f.attribute(e)
	case *syntax.Subscript:
		return f.subscript(e)
	}
	f.refuse("this expression has no counterpart in Go")
	return val{}
}

// localIn reports whether an expression has variables of the function in it.
func (f *fn) localIn(e syntax.Expr) (found bool) {
	walk(e, func(n *syntax.Name) {
		_, bound := f.cur[n.Name]
		found = found || bound || f.plan.locals[n.Name]
	})
	return found
}

func (f *fn) number(e *syntax.Number) val {
	if e.Imag {
		f.refuse("complex numbers have no counterpart in a kernel")
	}
	if e.Float {
		return call(e.Text, weakFloat)
	}
	return call(e.Text, weakInt)
}

func (f *fn) constant(e *syntax.Constant) val {
	if e.Text == "None" {
		return val{t: typ{k: noneKind}}
	}
	return known(e.Text == "True")
}

// known is a condition that is known.
func known(b bool) val {
	v := call(strconv.FormatBool(b), weakBool)
	v.static = &b
	return v
}

func (f *fn) tuple(es []syntax.Expr) val {
	z := val{t: typ{k: tupleKind}}
	for _, e := range es {
		v := f.expr(e)
		z.parts, z.t.elems = append(z.parts, v), append(z.t.elems, v.t)
	}
	return z
}

// name is a variable, or what stands in the file.
func (f *fn) name(e *syntax.Name) val {
	if t, ok := f.cur[e.Name]; ok {
		f.read[e.Name] = true
		v := call(f.varName(e.Name), t)
		v.name = e.Name
		if f.vars[e.Name].k == tileKind && t.number() {
			v.t.k = tileKind
		}
		if t.k == boolKind && t.weak && f.passed[e.Name].k == boolKind {
			return v
		}
		return v
	}
	if f.plan.locals[e.Name] {
		f.refuse("%s is not bound on every path to here", e.Name)
	}
	m, ok := f.file.Meaning(e)
	if !ok {
		f.refuse("%s is not known before a launch", e.Name)
	}
	return f.meant(e.Name, m)
}

// meaning is what an expression stands for that is none of the function's own.
func (f *fn) meaning(e syntax.Expr) (m lower.Meaning, ok bool) {
	root := e
	for {
		a, ok := root.(*syntax.Attribute)
		if !ok {
			break
		}
		root = a.X
	}
	n, ok := root.(*syntax.Name)
	if !ok {
		return m, false
	}
	if t, own := f.cur[n.Name]; own || f.plan.locals[n.Name] {
		if t.k == funcKind && root == e {
			return *t.fn, true
		}
		return m, false
	}
	return f.file.Meaning(e)
}

// meant is a constant or function of the file; a number keeps its name.
func (f *fn) meant(name string, m lower.Meaning) val {
	if !m.Known {
		return val{t: typ{k: funcKind, fn: &m}}
	}
	v := f.literal(m.Const)
	if name != "" && (v.t.number() || v.t.k == textKind) && v.t.k != boolKind && !strings.Contains(v.code, "math.") {
		if old, ok := f.g.consts[goName(name)]; !ok || old == v.code {
			f.g.consts[goName(name)] = v.code
			v.code, v.prec = goName(name), primary
		}
	}
	return v
}

// literal is a constant as Go writes it.
func (f *fn) literal(c any) val {
	switch c := c.(type) {
	case nil:
		return val{t: typ{k: noneKind}}
	case bool:
		return known(c)
	case int64:
		v := call(strconv.FormatInt(c, 10), weakInt)
		if c < 0 {
			v.prec = unaryPrec
		}
		return v
	case float64:
		return f.float(c)
	case string:
		return call(strconv.Quote(c), typ{k: textKind, weak: true})
	case dtype.DType:
		return call(dtypeName(c), typ{k: dtypeKind, d: c, weak: true})
	case []any:
		z := val{t: typ{k: tupleKind}}
		for _, e := range c {
			v := f.literal(e)
			z.parts, z.t.elems = append(z.parts, v), append(z.t.elems, v.t)
		}
		return z
	}
	f.refuse("a constant that has no counterpart in Go")
	return val{}
}

func (f *fn) float(x float64) val {
	t := weakFloat
	text := strconv.FormatFloat(x, 'g', -1, 64)
	switch text {
	case "+Inf", "-Inf":
		f.g.math = true
		return call(fmt.Sprintf("math.Inf(%s1)", strings.TrimSuffix(text[:1], "+")), t)
	case "NaN":
		f.g.math = true
		return call("math.NaN()", t)
	}
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	v := call(text, t)
	if x < 0 {
		v.prec = unaryPrec
	}
	return v
}

// lifted is a number as a tile of rank 0.
func (f *fn) lifted(v val) val {
	switch v.t.k {
	case tileKind:
		return v
	case intKind, floatKind, boolKind:
		d := v.t.d
		if d == dtype.Invalid {
			d = map[kind]dtype.DType{intKind: dtype.Int32, floatKind: dtype.Float32, boolKind: dtype.Bool}[v.t.k]
		}
		t := tile(d)
		t.param = v.t.param
		return call(fmt.Sprintf("tl.Full(%s, %s)", dtypeName(d), v.code), t)
	}
	f.refuse("%s where a tile is wanted", v.t.k)
	return v
}

// beside is a number as an operand beside a tile: itself where Go's rules give the dtype that
// Triton's give.
func (f *fn) operand(v val, t typ, o op.Op) val {
	if v.t.k == tileKind {
		return v
	}
	if !v.t.number() {
		f.refuse("%s as an operand", v.t.k)
	}
	class := o.Row().Class
	f.usedBeside(v, t)
	if v.t.weak || class == dtype.Compare && v.t.d != dtype.Int64 {
		return v
	}
	if t.d != dtype.Invalid {
		if d, err := dtype.Promote(class, t.d, v.t.d); err == nil && d == t.d {
			return v
		}
	}
	return f.lifted(v)
}

// usedBeside notes that a number meets a tile.
func (f *fn) usedBeside(v val, t typ) {
	if v.name == "" || v.t.param != v.name {
		return
	}
	u := f.g.uses[v.name]
	if t.d.IsInt() {
		u.asInt = true
	} else if !t.ptr {
		u.asFloat = true
	}
	f.g.uses[v.name] = u
}

func (f *fn) usedAsInt(v val) {
	if v.t.param != "" && v.t.k == intKind {
		u := f.g.uses[v.t.param]
		u.asInt = true
		f.g.uses[v.t.param] = u
	}
}

// binary is x o y.
func (f *fn) binary(o string, x, y val) val {
	if o == "**" {
		return f.power(x, y)
	}
	w, ok := operators[o]
	if !ok {
		f.refuse("%s has no counterpart in Go", o)
	}
	switch {
	case x.t.k == textKind || x.t.k == dtypeKind || y.t.k == textKind || y.t.k == dtypeKind:
		return f.compareOthers(o, x, y)
	case x.t.k == noneKind || y.t.k == noneKind:
		if o == "==" || o == "!=" {
			return f.isNone(o == "==", x, y)
		}
		f.refuse("%s %s %s", x.t.k, o, y.t.k)
	case x.t.k == tileKind || y.t.k == tileKind:
		return f.tiles(w, x, y)
	case x.t.number() && y.t.number():
		return f.numbers(o, w, x, y)
	}
	f.refuse("%s %s %s has no counterpart in Go", x.t.k, o, y.t.k)
	return val{}
}

// tiles is an operation of which one side is a tile at least.
func (f *fn) tiles(w operator, x, y val) val {
	if x.t.ptr || y.t.ptr {
		return f.moved(w, x, y)
	}
	z := typ{k: tileKind, d: f.resultType(w.op, x.t, y.t)}
	if w.op == op.Add || w.op == op.Sub {
		z.param = x.t.param
		if z.param == "" {
			z.param = y.t.param
		}
	}
	x, y = f.operand(x, y.t, w.op), f.operand(y, x.t, w.op)
	switch {
	case x.t.k == tileKind:
		return call(fmt.Sprintf("%s.%s(%s)", x.at(primary), w.method, y.code), z)
	case w.left != "":
		return call(fmt.Sprintf("%s(%s, %s)", w.left, x.code, y.code), z)
	}
	return call(fmt.Sprintf("%s.%s(%s)", y.at(primary), w.other, x.code), z)
}

// resultType is the dtype of an operation, Invalid if it is not known.
func (f *fn) resultType(o op.Op, x, y typ) dtype.DType {
	if o.Row().Class == dtype.Compare {
		return dtype.Bool
	}
	if x.k != tileKind {
		x, y = y, x
	}
	if x.d == dtype.Invalid || y.d == dtype.Invalid && !y.weak {
		return dtype.Invalid
	}
	d := x.d
	if !y.weak || kindOf(y) > x.d.Kind() {
		var err error
		if d, err = dtype.Promote(o.Row().Class, x.d, y.d); err != nil {
			return dtype.Invalid
		}
	}
	if o == op.Div && !d.IsFloat() {
		return dtype.Float32
	}
	if o == op.Div && d.Bits() < 32 {
		return dtype.Invalid
	}
	return d
}

func kindOf(t typ) dtype.Kind {
	switch t.k {
	case floatKind:
		return dtype.KindFloat
	case boolKind:
		return dtype.KindBool
	}
	return dtype.KindInt
}

// moved is a pointer with an offset.
func (f *fn) moved(w operator, x, y val) val {
	if !x.t.ptr {
		x, y = y, x
		if w.op == op.Sub {
			f.refuse("a number minus a pointer")
		}
	}
	if w.op != op.Add && w.op != op.Sub || y.t.ptr {
		f.refuse("this is no operation of pointers")
	}
	f.usedAsInt(y)
	t := x.t
	return call(fmt.Sprintf("%s.%s(%s)", x.at(primary), w.method, y.code), t)
}

// numbers is an operation of two of Go's numbers.
func (f *fn) numbers(o string, w operator, x, y val) val {
	compares := w.prec == comparePrec
	switch {
	case x.t.k == boolKind && y.t.k == boolKind && (o == "&" || o == "|"):
		return f.both(map[string]string{"&": "&&", "|": "||"}[o], x, y)
	case x.t.k == floatKind || y.t.k == floatKind:
		f.usedBeside(x, typ{})
		f.usedBeside(y, typ{})
		if x.t.weak && y.t.weak && w.infix != "" && o != "%" && o != "//" && !f.params(x, y) {
			z := weakFloat
			if compares {
				z = typ{k: boolKind, d: dtype.Bool}
			}
			return infix(w, toFloat(x), toFloat(y), z)
		}
		return f.tiles(w, f.lifted(x), y)
	case o == "/" && x.t.weak && y.t.weak:
		return val{code: toFloat(x).at(mulPrec) + " / " + toFloat(y).at(unaryPrec), prec: mulPrec, t: weakFloat}
	case o == "/":
		return f.tiles(w, f.lifted(x), f.lifted(y))
	case x.t.k == boolKind || y.t.k == boolKind:
		if x.t.k == y.t.k && (o == "==" || o == "!=") {
			return infix(w, x, y, typ{k: boolKind, d: dtype.Bool})
		}
		if x.static == nil && y.static == nil {
			return f.tiles(w, f.lifted(x), f.lifted(y))
		}
		return f.truthIs(o, x, y)
	}
	f.usedAsInt(x)
	f.usedAsInt(y)
	z := typ{k: intKind, weak: x.t.weak && y.t.weak, d: dtype.Int32}
	if x.t.d == dtype.Int64 || y.t.d == dtype.Int64 {
		z.d = dtype.Int64
	}
	if compares {
		z = typ{k: boolKind, d: dtype.Bool, weak: z.weak}
		a, err := strconv.Atoi(x.code)
		b, err2 := strconv.Atoi(y.code)
		if err == nil && err2 == nil {
			return known(map[string]bool{"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b, "!=": a != b}[o])
		}
	} else if o == "+" || o == "-" {
		z.param = x.t.param
		if z.param == "" {
			z.param = y.t.param
		}
	}
	return infix(w, x, y, z)
}

// params reports whether one of two values is a parameter at run time.
func (f *fn) params(vs ...val) bool {
	for _, v := range vs {
		if v.t.param != "" && !v.t.weak {
			return true
		}
	}
	return false
}

// truthIs compares a number with True or False.
func (f *fn) truthIs(o string, x, y val) val {
	if x.static != nil {
		x, y = y, x
	}
	if y.static == nil || o != "==" && o != "!=" {
		f.refuse("a bool in arithmetic has no counterpart in Go")
	}
	if x.t.k == intKind && !x.t.weak {
		f.g.become(x.t.param, typ{k: boolKind})
	}
	c := f.condition(x)
	if *y.static == (o == "==") {
		return c
	}
	return f.negated(c)
}

// negated is a condition's opposite.
func (f *fn) negated(c val) val {
	if c.static != nil {
		return known(!*c.static)
	}
	if number, ok := strings.CutSuffix(c.code, " != 0"); ok && c.prec == comparePrec && !strings.ContainsAny(number, " ") {
		c.code = number + " == 0"
		return c
	}
	return val{code: "!" + c.at(unaryPrec), prec: unaryPrec, t: c.t}
}

func toFloat(v val) val {
	if v.t.k != intKind {
		return v
	}
	return call("float64("+v.code+")", weakFloat)
}

func infix(w operator, x, y val, t typ) val {
	return val{code: x.at(w.prec) + " " + w.infix + " " + y.at(w.prec+1), prec: w.prec, t: t}
}

func (f *fn) power(x, y val) val {
	if n, err := strconv.Atoi(y.code); err == nil && x.t.weak && x.t.k == intKind && n >= 0 && n < 32 {
		if x.code == "2" {
			return val{code: fmt.Sprint("1 << ", n), prec: mulPrec, t: x.t}
		}
	}
	f.refuse("** has no counterpart in Go")
	return val{}
}

// compareOthers compares texts and dtypes.
func (f *fn) compareOthers(o string, x, y val) val {
	if o != "==" && o != "!=" {
		f.refuse("%s %s %s has no counterpart in Go", x.t.k, o, y.t.k)
	}
	if x.t.k != y.t.k {
		other, it := x, y
		if x.t.k == textKind || x.t.k == dtypeKind {
			other, it = y, x
		}
		f.g.become(other.t.param, typ{k: it.t.k})
		if other.t.k == noneKind {
			return known(o == "!=")
		}
		f.refuse("%s is compared with %s", x.t.k, y.t.k)
	}
	return infix(operators[o], x, y, weakBool)
}

// isNone is x is None.
func (f *fn) isNone(is bool, x, y val) val {
	if x.t.k == noneKind {
		x, y = y, x
	}
	if y.t.k != noneKind {
		f.refuse("is tells only None")
	}
	if x.t.k == noneKind {
		return known(is)
	}
	if x.t.k != tileKind && x.t.param != "" && x.name == x.t.param && !x.t.weak {
		f.g.become(x.name, typ{k: tileKind, ptr: true})
	}
	if x.t.k != tileKind || !x.t.ptr || x.name == "" {
		return known(!is)
	}
	v := val{code: x.at(primary) + ".IsNil()", prec: primary, t: weakBool}
	if !is {
		v.code, v.prec = "!"+v.code, unaryPrec
	}
	return v
}

// both is a condition of two.
func (f *fn) both(o string, x, y val) val {
	x, y = f.condition(x), f.condition(y)
	prec := andPrec
	if o == "||" {
		prec = orPrec
	}
	for i, v := range []val{x, y} {
		if v.static == nil {
			continue
		}
		other := []val{y, x}[i]
		if *v.static == (o == "||") {
			return v
		}
		return other
	}
	t := typ{k: boolKind, weak: x.t.weak && y.t.weak, d: dtype.Bool}
	return val{code: x.at(prec) + " " + o + " " + y.at(prec+1), prec: prec, t: t}
}

func (f *fn) logical(e *syntax.Binary, x val) val {
	if x.t.k != tileKind { // what is known decides without the other side
		c := f.condition(x)
		if c.static != nil && *c.static == (e.Op == "or") {
			return c
		}
	}
	y := f.expr(e.Y)
	f.at = e.At
	if x.t.k == tileKind || y.t.k == tileKind {
		method := map[string]string{"and": "&", "or": "|"}[e.Op]
		return f.tiles(operators[method], f.truthTile(x), f.truthTile(y))
	}
	return f.both(map[string]string{"and": "&&", "or": "||"}[e.Op], x, y)
}

// truthTile is a tile of bools.
func (f *fn) truthTile(v val) val {
	if v.t.k != tileKind {
		return f.condition(v)
	}
	if v.t.d == dtype.Bool {
		return v
	}
	return call(v.at(primary)+".Ne(0)", tile(dtype.Bool))
}

// condition is a value as a bool of Go's.
func (f *fn) condition(v val) val {
	t := typ{k: boolKind, d: dtype.Bool}
	switch v.t.k {
	case boolKind:
		return v
	case noneKind:
		return known(false)
	case textKind:
		return infix(operators["!="], v, call(`""`, v.t), t)
	case intKind:
		t.weak = v.t.weak
		return infix(operators["!="], v, call("0", v.t), t)
	case tileKind:
		if v.t.ptr {
			f.refuse("a pointer as a condition")
		}
		return call(f.truthTile(v).at(primary)+".Bool()", t)
	}
	f.refuse("%s as a condition", v.t.k)
	return v
}

func (f *fn) unary(e *syntax.Unary) val {
	x := f.expr(e.X)
	f.at = e.At
	if e.Op == "not" {
		if x.t.k == tileKind {
			return call(f.truthTile(x).at(primary)+".Not()", tile(dtype.Bool))
		}
		return f.negated(f.condition(x))
	}
	switch {
	case e.Op == "+":
		return x
	case x.t.k == tileKind && !x.t.ptr:
		method := map[string]string{"-": "Neg", "~": "Not"}[e.Op]
		return call(fmt.Sprintf("%s.%s()", x.at(primary), method), tile(x.t.d))
	case x.code == "math.Inf(1)":
		x.code = "math.Inf(-1)"
		return x
	case x.t.k == intKind || x.t.k == floatKind && x.t.weak && e.Op == "-":
		f.usedAsInt(x)
		x.code, x.prec, x.name = map[string]string{"-": "-", "~": "^"}[e.Op]+x.at(unaryPrec), unaryPrec, ""
		x.t.param = ""
		return x
	case x.t.k == floatKind && e.Op == "-":
		return call(f.lifted(x).code+".Neg()", tile(x.t.d))
	case x.t.k == boolKind && e.Op == "~":
		return val{code: "!" + x.at(unaryPrec), prec: unaryPrec, t: x.t}
	}
	f.refuse("%s of %s has no counterpart in Go", e.Op, x.t.k)
	return x
}

func (f *fn) compare(e *syntax.Compare) val {
	x := f.expr(e.X)
	var z val
	for i, o := range e.Ops {
		y := f.expr(e.Ys[i])
		f.at = e.At
		var v val
		switch o {
		case "is", "is not":
			if x.t.k == dtypeKind && y.t.k == dtypeKind {
				v = f.binary(map[string]string{"is": "==", "is not": "!="}[o], x, y)
				break
			}
			v = f.isNone(o == "is", x, y)
		case "in", "not in":
			v = f.among(o == "in", x, y)
		default:
			v = f.binary(o, x, y)
		}
		switch {
		case i == 0:
			z = v
		case z.t.k == tileKind || v.t.k == tileKind:
			f.refuse("a chain of comparisons of tiles")
		default:
			z = f.both("&&", z, v)
		}
		x = y
	}
	return z
}

// among is x in (a, b).
func (f *fn) among(in bool, x, y val) val {
	z := known(false)
	for _, p := range y.parts {
		z = f.both("||", z, f.binary("==", x, p))
	}
	if in {
		return z
	}
	return f.negated(z)
}

// ifExpr is x if c else y, by a variable of its own.
func (f *fn) ifExpr(e *syntax.IfExp) val {
	c := f.condition(f.expr(e.Cond))
	if c.static != nil {
		if *c.static {
			return f.expr(e.Then)
		}
		return f.expr(e.Else)
	}
	x, y := f.strong(f.expr(e.Then), false), f.strong(f.expr(e.Else), false)
	f.at = e.At
	t, ok := x.t.join(y.t)
	if !ok || t.goType() == "" || f.cond {
		f.refuse("%s or %s, by a condition, has no counterpart in an expression of Go", x.t.k, y.t.k)
	}
	if t.k == tileKind {
		x, y = f.lifted(x), f.lifted(y)
	}
	temp := f.temp()
	f.emit("%s := %s\nif %s {\n%s = %s\n}", temp, y.code, c.code, temp, x.code)
	return call(temp, t)
}
