// Package spell knows how Triton and PyTorch spell what tiler calls otherwise: dtypes, functions, whole messages.
package spell

import (
	"regexp"
	"strings"
	"sync"

	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Text is a text about a kernel of Go, as the language's own messages are, in the words of
// Triton: tl.Load is tl.load, x.Mul(y) is x * y.
func Text(text string) string {
	for _, f := range forms {
		text = f.from.ReplaceAllString(text, f.triton)
	}
	text = phrases.Replace(text)
	return goName.ReplaceAllStringFunc(methodCall.ReplaceAllStringFunc(text, operatorCall), functionNamed)
}

// Diagnostic spells a diagnostic's texts, in place.
func Diagnostic(d *diag.Diagnostic) {
	d.Msg = Text(d.Msg)
	for i := range d.Notes {
		d.Notes[i].Text = Text(d.Notes[i].Text)
	}
	for i := range d.Fixes {
		d.Fixes[i] = Text(d.Fixes[i])
	}
}

// phrases are what has another form in Triton, longer ones first.
var phrases = strings.NewReplacer(
	"pass tl.Mask(i < n)", "pass mask=i < n",
	"offs.To(tl.Int64).Mul(stride)", "offs.to(tl.int64) * stride",
	"tl.Max(x).Ne(0).Bool()", "tl.max(x) != 0",
	"tl.Where(y.Eq(0), 1, y)", "tl.where(y == 0, 1, y)",
	"call tl.DebugBarrier()", "call tl.debug_barrier()",
	"give the load an Other", "give the load other=...",
	"pass a Mask, or remove Other", "pass a mask, or remove other",
	"x.Ne(0).Bool()", "x != 0", "x.Ne(0)", "x != 0",
	"x.Col() and y.Row()", "x[:, None] and y[None, :]", "x.Col(), x.Row()", "x[:, None], x[None, :]", "x.Col()", "x[:, None]",
	"with Row or Col", "with x[None, :] or x[:, None]", "Reshape, ExpandDims or BroadcastTo", "tl.reshape, tl.expand_dims or tl.broadcast_to",
	"with BroadcastTo", "with tl.broadcast_to", "use BroadcastTo", "use tl.broadcast_to", "with To or Bitcast", "with .to(...)",
	"with To", "with .to(...)", "use To to", "use .to(...) to", ".To(...)", ".to(...)", ".To(d)", ".to(d)",
	"y.T()", "tl.trans(y)", "x.T()", "tl.trans(x)", "with Add and Sub of integers", "with + and - of integers",
	"tensor parameter: x.Add(offs)", "tensor parameter: x + offs", "x.Add(offs)", "x + offs",
	"tensor.Zeros", "torch.zeros", "tensor.Empty", "torch.empty", ".Stride(", ".stride(", ".Contiguous()", ".contiguous()",
	"tl.MakeDesc", "tl.make_tensor_descriptor", "tl.MakeBlockPtr", "tl.make_block_ptr",
	"use Go's own operators, or make", "make", "Desc.Load", "desc.load", "Desc.Store", "desc.store",
)

// forms are phrases with the kernel's own names in them.
var forms = []struct {
	from   *regexp.Regexp
	triton string
}{
	{regexp.MustCompile(`tl\.Mask\((\w+)\.Lt\((\w+)\)\)`), "mask=$1 < $2"},
	{regexp.MustCompile(`\b(\w+)\.Row\(\)\.Lt\((\w+)\)`), "$1[None, :] < $2"},
	{regexp.MustCompile(`\b(\w+)\.Col\(\)\.Lt\((\w+)\)`), "$1[:, None] < $2"},
	{regexp.MustCompile(`\b(\w+)\.Lt\((\w+)\)`), "$1 < $2"},
	{regexp.MustCompile(`\[\]int\{([^}]*)\}`), "[$1]"},
	{regexp.MustCompile(`tl\.BoundaryCheck\((\d)\)`), "tl.BoundaryCheck($1,)"},
	{regexp.MustCompile(`\b(\w+)\.Load\(tl\.BoundaryCheck\(([0-9, ]+?)\), tl\.PadZero\)`), `tl.load($1, boundary_check=($2), padding_option="zero")`},
	{regexp.MustCompile(`\b(\w+)\.Store\(\.\.\., tl\.BoundaryCheck\(([0-9, ]+?)\)\)`), "tl.store($1, ..., boundary_check=($2))"},
}

// methodCall is a method of tiles, as messages name one: Tile.Mul, .To(tl.Int64).
var methodCall = regexp.MustCompile(`\bTile\.[A-Z]\w*|\.To\(tl\.[A-Z]\w*\)|\btl\.(Bool|B?Float\w+|U?[Ii]nt\d+)\b`)

// goName is a function of the language, as Go spells it.
var goName = regexp.MustCompile(`\btl\.[A-Z]\w*`)

// operatorCall is a method or dtype in Triton's words.
func operatorCall(text string) string {
	if name, ok := strings.CutPrefix(text, "Tile."); ok {
		if o := operatorNamed(name); o != "" {
			return o
		}
		return "tl." + strings.ToLower(name)
	}
	d := strings.ToLower(text)
	return strings.Replace(d, "tl.bool", "tl.int1", 1)
}

// operatorNamed is the operator of a method, "" if it has none.
func operatorNamed(method string) string {
	for o := op.None + 1; o < op.NumOps; o++ {
		r := o.Row()
		if name, _, ok := strings.Cut(r.Go, "("); !ok || name != "x."+method {
			continue
		}
		if fields := strings.Fields(r.Triton); len(fields) == 3 {
			return fields[1]
		}
		return strings.TrimSuffix(r.Triton, "x")
	}
	return ""
}

// functions are the functions of the language by their names in Go, as the op table spells
// them; those that it does not have differ in their capitals alone.
var functions = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for o := op.None + 1; o < op.NumOps; o++ {
		r := o.Row()
		name, _, ok := strings.Cut(r.Go, "(")
		other, _, both := strings.Cut(r.Triton, "(")
		if ok && both && strings.HasPrefix(name, "tl.") && names[name] == "" {
			names[name] = other
		}
	}
	return names
})

// functionNamed is a function in Triton's words.
func functionNamed(name string) string {
	if other := functions()[name]; other != "" {
		return other
	}
	return strings.ToLower(name)
}
