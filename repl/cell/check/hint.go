package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/sugar"
	"github.com/tiler-go/tiler/repl/python"
	"github.com/tiler-go/tiler/repl/symbols"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Messages of the checker, with what to write instead.

// maxErrors is how many messages about one cell are shown.
const maxErrors = 10

// messages is errors of the checker in order of place, with those that follow from
// others left out.
func (c *Check) messages(errs []types.Error) diag.List {
	slices.SortStableFunc(errs, func(a, b types.Error) int { return int(a.Pos - b.Pos) })
	var list diag.List
	seen := map[string]bool{}
	for _, e := range errs {
		if strings.HasPrefix(e.Msg, "\t") || strings.Contains(e.Msg, "invalid type") {
			continue
		}
		d := c.message(e)
		if key := fmt.Sprint(d.Pos.File, ":", d.Pos.Line); !seen[key] { // what else is wrong with a line often follows from the first
			seen[key] = true
			list = append(list, d)
		}
	}
	if len(list) == 0 && len(errs) > 0 {
		list = append(list, c.message(errs[0]))
	}
	if n := len(list); n > maxErrors {
		list = append(list[:maxErrors], diag.At(diag.Pos{}, "and %d more", n-maxErrors))
	}
	return list
}

// message is an error of the checker in the session's words.
func (c *Check) message(e types.Error) *diag.Diagnostic {
	msg := e.Msg
	msg = strings.ReplaceAll(msg, "main.", "")
	msg = strings.ReplaceAll(msg, "tilelang.", "tl.")
	msg = strings.ReplaceAll(msg, "dtype.DType", "tl.DType")
	msg = strings.ReplaceAll(msg, MethodSep, ".")
	d := diag.At(c.position(e.Pos), "%s", msg)
	finding{Check: c, d: d, path: c.PathTo(e.Pos)}.advise()
	return d
}

// A finding is an error of the checker for which advice is sought.
type finding struct {
	*Check
	d     *diag.Diagnostic
	path  []ast.Node // around the place
	match []string   // of the row: the message and its groups
}

// advise adds to the message what to write instead.
func (f finding) advise() {
	for _, h := range hints {
		if f.match = h.re.FindStringSubmatch(f.d.Msg); f.match != nil && h.add(f) {
			return
		}
	}
}

// PathTo is the nodes around a position, the innermost last.
func (c *Check) PathTo(pos token.Pos) (path []ast.Node) {
	for _, f := range c.Files() {
		if f.FileStart > pos || pos > f.FileEnd {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil || n.Pos() > pos || pos > n.End() {
				return false
			}
			path = append(path, n)
			return true
		})
	}
	return path
}

// Inner is the innermost node of a kind on a path.
func Inner[T ast.Node](path []ast.Node) (T, bool) {
	for _, n := range slices.Backward(path) {
		if n, ok := n.(T); ok {
			return n, true
		}
	}
	var none T
	return none, false
}

type hintRow struct {
	re  *regexp.Regexp
	add func(finding) bool
}

func row(re string, add func(finding) bool) hintRow {
	return hintRow{regexp.MustCompile(re), add}
}

// fix is a row whose advice is always the same; $1 is the first group.
func fix(re, advice string) hintRow {
	return row(re, func(f finding) bool {
		text := advice
		for i, g := range f.match {
			text = strings.ReplaceAll(text, fmt.Sprintf("$%d", i), g)
		}
		f.d.Fix("%s", text)
		return true
	})
}

// hints are tried in order.
var hints []hintRow

func init() {
	hints = []hintRow{
		row(`^undefined: (\w+)$`, finding.undefinedName),
		row(`^(undefined: (\w+)\.\w+) \(but have (\w+)\)$`, func(f finding) bool {
			f.d.Msg = f.match[1]
			f.d.Fix("write %s.%s", f.match[2], f.match[3])
			return true
		}),
		row(`^undefined: (\w+)\.(\w+)$`, finding.undefinedMember),
		row(`^(\S+)\.(\w+) undefined \(type (.+) has no field or method`, finding.undefinedMethod),
		row(`^invalid operation: .*\(mismatched types (?:tl\.(?:Tile|Ptr) and |.* and tl\.(?:Tile|Ptr)\))`, finding.sugarInProgram),
		row(`non-boolean condition in (if|for)`, finding.tileCondition),
		row(`^invalid operation: operator (\S+) not defined on (.*) \(.* of (?:struct )?type (?:tl|tensor|\*tensor)\.`, finding.tileOperator),
		fix(`^invalid operation: (.*)(?:\+\+|--) \(non-numeric type tl\.(?:Tile|Ptr)\)`, "write $1 += 1, or -= 1"),
		row(`cannot index (.*) \(.*type tl\.(?:Tile|Ptr)\)`, func(f finding) bool {
			f.d.Fix("the elements of a tile cannot be used one by one: [:, None] and [None, :] add a dimension; at the prompt %s.At(i) shows one element", f.match[1])
			return true
		}),
		row(`cannot index (\S+) \(.*type (func\(|\*exec\.Kernel)`, finding.noLaunch),
		fix(`cannot slice (.*) \(.*type tl\.(?:Tile|Ptr)\)`, "a tile cannot be sliced: make the range you want with tl.Arange, and load or store with a mask"),
		fix(`operator (&&|\|\|) not defined on`, "on tiles write & and | : they work lane by lane"),
		row(`cannot use (.*) \(.*type \*tensor\.Tensor\) as tl\.(?:Tile|Ptr) value`, finding.tensorAsTile),
		fix(`^invalid operation: (\w+) .* \(mismatched types \*tensor\.Tensor and`, "load a tile of it first: tl.Load($1 + tl.Arange(0, $1.Len()))"),
		row(`^label \w+ declared and not used`, func(f finding) bool {
			*f.d = *f.syntaxHint(f.d.Pos, f.d.Msg)
			return true
		}),
		fix(`cannot slice (.*) \(.*type \*tensor\.Tensor\)`, "write $1.Slice(0, lo, hi)"),
		row(`cannot index (.*) \(.*type \*tensor\.Tensor\)`, finding.indexedTensor),
		fix(`invalid argument: (.*) \(.*type (?:tl\.Tile|\*tensor\.Tensor)\) for built-in len`, "write $1.Dim(0), or $1.Shape()"),
		fix(`cannot convert (.*) \(.*type tl\.Tile\) to type`, "a scalar tile becomes a Go number with $1.Int() or $1.Float(); $1.To(tl.Int32) converts every lane"),
		fix(`(.*) \(.*type tl\.Tile\) cannot be ordered`, "for tiles write tl.Maximum(x, y) or tl.Minimum(x, y), lane by lane; tl.Max(x) and tl.Min(x) reduce"),
		fix(`^invalid operation: (".*") % (.*) \(mismatched types`, "write fmt.Sprintf($1, $2)"),
		row(`^cannot use .* as (.*) value in assignment$`, finding.otherType),
		row(`^too many return values`, func(f finding) bool {
			fn, ok := Inner[*ast.FuncDecl](f.path)
			if _, lit := Inner[*ast.FuncLit](f.path); lit || !ok || fn.Name.Name != "_" {
				return false
			}
			f.d.Msg = "return outside a function"
			return true
		}),
		fix(`^invalid argument: index (-\w+) \(constant of type int\) must not be negative`, "write x[len(x)$1]"),
		fix(`cannot use (.*) \(.*type tl\.Tile\) as (?:int|tl\.Const) value`, "a scalar tile becomes a Go number with $1.Int()"),
		fix(`^cannot use .* as tl\.(?:Load|Store|Atomic)Option value`, "options have names: tl.Mask(…) says which lanes count, tl.Other(…) what the others load"),
		fix(`cannot use (.*) \(.*type tl\.Tile\) as float64 value`, "a scalar tile becomes a Go number with $1.Float()"),
		fix(`cannot use (.*) \(.*type tl\.Tile\) as bool value`, "a scalar tile becomes a Go bool with $1.Bool(); to choose lane by lane use tl.Where"),
		fix(`cannot use (.*) \(.*of type (?:int32|int64|int8|int16|uint\d*)\) as (?:int|tl\.Const) value`, "write int($1)"),
		fix(`cannot use (.*) \(.*of type float32\) as float64 value`, "write float64($1)"),
		fix(`cannot use (.*) \(.*of type int\) as float64 value`, "write float64($1)"),
		fix(`invalid operation: (.*) \(mismatched types (int) and (float64)\)`, "convert one of them: float64(x), or int(x)"),
		fix(`(.*) \(untyped string constant\) as tl\.DType value`, "dtypes are values: tl.Float32, tl.Int32, …"),
		fix(`^missing return$`, "the function must end with a return"),
		fix(`^assignment mismatch: 1 variable but .* returns (\d) values`, "name all results; write _ for those you do not need"),
		fix(`^declared and not used: (\w+)`, "use $1, or remove it"),
		fix(`^no new variables on left side of :=`, "write = : the variable already exists"),
		row(`^cannot assign to .* \(neither addressable nor a map index`, finding.assignedTile),
		row(`^invalid operation: cannot indirect`, finding.power),
		fix(`not enough arguments in call to p\.ID`, "p.ID(0) is the position on the grid's first axis"),
	}
}

// undefinedName is about a name that nothing declares.
func (f finding) undefinedName() bool {
	name := f.match[1]
	if broken := f.s.Live[name]; broken != nil && broken.Broken != nil {
		f.d.Msg = fmt.Sprintf("%s no longer compiles", name)
		f.d.Note("%v", broken.Broken)
		return true
	}
	if advice := f.pythonName(name); advice != "" {
		f.d.Fix("%s", advice)
		return true
	}
	if paths := symbols.Named(name); len(paths) > 0 {
		f.d.Fix("import %q", paths[0])
		return true
	}
	if near := diag.Nearest(name, f.scopeNames()); near != "" {
		f.d.Msg += fmt.Sprintf(" (did you mean %s?)", near)
		return true
	}
	if alt := tritonName(name); alt != "" {
		f.d.Fix("write %s", alt)
		return true
	}
	return false
}

// scopeNames is the names that can be used at the place.
func (f finding) scopeNames() []string {
	names := map[string]bool{}
	for name := range f.s.Live {
		names[name] = true
	}
	for id, o := range f.Info.Defs {
		if o != nil {
			names[id.Name] = true
		}
	}
	for _, name := range types.Universe.Names() {
		names[name] = true
	}
	for n := range names {
		if strings.Contains(n, MethodSep) || n == "_" {
			delete(names, n)
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// undefinedMember is about pkg.Name.
func (f finding) undefinedMember() bool {
	imp := f.s.Live[f.match[1]]
	sel, ok := Inner[*ast.SelectorExpr](f.path)
	var pkg *types.Package
	if ok {
		if id, isIdent := sel.X.(*ast.Ident); isIdent {
			if p, isPkg := f.Info.Uses[id].(*types.PkgName); isPkg {
				pkg = p.Imported()
			}
		}
	}
	if pkg == nil && imp != nil && imp.Kind == token.IMPORT {
		pkg = imp.Obj.(*types.PkgName).Imported()
	}
	if pkg == nil {
		return false
	}
	var names []string
	for _, name := range pkg.Scope().Names() {
		if token.IsExported(name) {
			names = append(names, name)
		}
	}
	if pkg.Path() == sugar.PathTilelang {
		if alt := tritonName(f.match[2]); alt != "" {
			f.d.Fix("write %s", alt)
			return true
		}
	}
	if near := diag.Nearest(f.match[2], names); near != "" {
		f.d.Msg += fmt.Sprintf(" (did you mean %s.%s?)", f.match[1], near)
		return true
	}
	if !slices.Contains([]string{sugar.PathTilelang, sugar.PathTensor, sugar.PathExec}, pkg.Path()) {
		f.d.Note("generic functions, and what came after Go 1.26, cannot be used here")
	}
	return true
}

// undefinedMethod is about x.Name.
func (f finding) undefinedMethod() bool {
	sel, ok := Inner[*ast.SelectorExpr](f.path)
	if !ok {
		return false
	}
	t := f.Info.TypeOf(sel.X)
	if t == nil {
		return false
	}
	if advice := python.Member(f.match[1], f.match[2]); advice != "" && (sugar.IsTile(t) || sugar.IsTensor(t) || f.match[2] == "append") {
		f.d.Msg = fmt.Sprintf("%s.%s undefined: %s has no field or method %s", f.match[1], f.match[2], f.match[3], f.match[2])
		f.d.Fix("%s", advice)
		return true
	}
	names := Members(t)
	if near := diag.Nearest(f.match[2], names); near != "" {
		f.d.Msg = fmt.Sprintf("%s.%s undefined: %s has no field or method %s (did you mean %s?)", f.match[1], f.match[2], f.match[3], f.match[2], near)
		return true
	}
	if sugar.IsTile(t) {
		if alt := tritonName(f.match[2]); alt != "" {
			f.d.Fix("write %s", alt)
		}
	}
	return true
}

// Members is the names that can follow a dot after a value.
func Members(t types.Type) []string {
	names := map[string]bool{}
	base := t
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		base = p.Elem()
	}
	if !types.IsInterface(base) {
		for m := range types.NewMethodSet(types.NewPointer(base)).Methods() {
			names[m.Obj().Name()] = true
		}
	}
	for m := range types.NewMethodSet(t).Methods() {
		names[m.Obj().Name()] = true
	}
	if st, ok := base.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			names[f.Name()] = true
		}
	}
	own := packagePath(base) == "main"
	for n := range names {
		if !own && !token.IsExported(n) || n == "_" {
			delete(names, n)
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func packagePath(t types.Type) string {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path()
	}
	return ""
}

// tritonName is how Go spells what Triton calls name, from the op table.
func tritonName(name string) string {
	for o := op.None + 1; o < op.NumOps; o++ {
		r := o.Row()
		for _, prefix := range []string{"tl.", "x."} {
			if strings.HasPrefix(r.Triton, prefix+name+"(") {
				return r.Go
			}
		}
	}
	return ""
}

// sugarInProgram is about x + y in a whole file, which Go itself is to compile.
func (f finding) sugarInProgram() bool {
	e, ok := Inner[*ast.BinaryExpr](f.path)
	if !ok || !f.Program() {
		return false
	}
	o, ok := sugar.Operators[e.Op]
	if !ok {
		return false
	}
	f.d.Note("operators on tiles are for cells; a file that begins with package main is plain Go")
	x, y := types.ExprString(ast.Unparen(e.X)), types.ExprString(ast.Unparen(e.Y))
	switch {
	case sugar.IsTile(f.Info.TypeOf(e.X)):
		f.d.Fix("write %s.%s(%s)", types.ExprString(e.X), o.Method, y)
	case o.Flipped != "":
		f.d.Fix("write %s.%s(%s)", types.ExprString(e.Y), o.Flipped, x)
	default:
		f.d.Fix("write %s.%s(%s, %s)", f.tlName(), o.Fn, x, y)
	}
	return true
}

// tlName is what the text calls package tilelang.
func (f finding) tlName() string {
	for _, file := range f.Files() {
		for _, spec := range file.Imports {
			if strings.Trim(spec.Path.Value, "`\"") == sugar.PathTilelang && spec.Name != nil {
				return spec.Name.Name
			}
		}
	}
	return f.s.importName(sugar.PathTilelang)
}

// tileCondition is about if x, where x is a tile.
func (f finding) tileCondition() bool {
	for _, n := range slices.Backward(f.path) {
		if e, ok := n.(ast.Expr); ok && sugar.IsTile(f.Info.TypeOf(e)) {
			f.d.Msg = "a tile is not a condition: it has many lanes"
			f.d.Fix("choose lane by lane with tl.Where(cond, x, y), or reduce to one bool: tl.Max(cond).Bool()")
			return true
		}
	}
	return false
}

func (f finding) tileOperator() bool {
	if f.match[1] == "&&" || f.match[1] == "||" {
		return false
	}
	if strings.Contains(f.d.Msg, "tensor.Tensor") {
		f.d.Fix("operations work on tiles, not on tensors: load a tile through a pointer, tl.Load(tl.PointerTo(x, \"x\").Add(offs))")
		return true
	}
	return false
}

// noLaunch is about f[4](x), where f is no kernel, or where the text is Go's own.
func (f finding) noLaunch() bool {
	call, ok := Inner[*ast.CallExpr](f.path)
	if f.Program() && ok {
		if kernel, index := f.Sugar.Bracket(call.Fun); kernel != nil && len(index) == 1 {
			f.d.Note("kernel[grid](arguments) is for cells; a file that begins with package main is plain Go")
			f.d.Fix("write exec.New(%s).Launch(exec.Grid{%s}, …)", f.match[1], types.ExprString(index[0]))
			return true
		}
	}
	if x, ok := Inner[*ast.IndexExpr](f.path); ok && sugar.KernelType(f.Info.TypeOf(x.X)) {
		f.d.Fix("a launch also takes arguments: %s[grid](x, n, …)", f.match[1])
	} else if f.match[2] == "func(" {
		f.d.Fix("only a kernel can be launched like this: a function without a result whose first parameter is p *tl.Program")
	}
	return true
}

// assignedTile is about x.At(0) = 1.
func (f finding) assignedTile() bool {
	for _, n := range f.path {
		if e, ok := n.(ast.Expr); ok && sugar.IsTile(f.Info.TypeOf(e)) {
			f.d.Fix("a tile never changes: make a new one, for example with tl.Where")
			return true
		}
	}
	return false
}

// MemberName is the name after the dot of what is called; "" for none.
func MemberName(call *ast.CallExpr) string {
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		return sel.Sel.Name
	}
	return ""
}
