package python

import (
	"regexp"
	"strings"
)

// rows are tried in order: the first that matches a line says what is wrong with it.
var rows = []row{
	// Comments and strings.
	says(`^\s*(?P<at>#)`, "Go's comments begin with //", "write // in place of #"),
	says(`(?P<at>"""|''')`, "Go has no strings in three quotes", "write comments with //, and strings of several lines in ` `"),

	// Declarations and blocks.
	says(`^\s*(?P<at>@)\s*\w`, "Go has no decorators", "leave it out: exec.New(f) and f[grid](arguments) make a kernel of a function"),
	says(`^\s*(?P<at>def)\s+(?P<f>\w+)`, "Go has no def", "write func $f(x int) int { … }; a kernel is func $f(p *tl.Program, x tl.Ptr, n int) { … }"),
	says(`^\s*(?P<at>class)\s+(?P<t>\w+)`, "Go has no class", "write type $t struct { … }"),
	says(`^\s*(?P<at>elif)\s+(?P<c>.+?)\s*:?$`, "Go has no elif", "write } else if $c { … }"),
	says(`^\s*(?P<at>while)\s+(?:True|1)\s*:?$`, "Go has no while", "write for { … }"),
	says(`^\s*(?P<at>while)\s+(?P<c>.+?)\s*[:{]?$`, "Go has no while", "write for $c { … }"),
	says(`(?P<at>[\[({])[^\[\]]*\bfor\s+\w+\s+in\b`, "Go has no comprehensions", "write a loop; for a tile of indices write tl.Arange(0, n)"),
	says(`\bfor\s+(?P<i>\w+)\s+(?P<at>in)\s+(?:tl\.)?(?:static_)?range\((?P<lo>[^,()]+),\s*(?P<hi>[^,()]+),\s*(?P<by>[^,()]+)\)`, "Go loops have no in", "write for $i := $lo; $i < $hi; $i += $by { … }"),
	says(`\bfor\s+(?P<i>\w+)\s+(?P<at>in)\s+(?:tl\.)?(?:static_)?range\((?P<lo>[^,()]+),\s*(?P<hi>[^,()]+)\)`, "Go loops have no in", "write for $i := $lo; $i < $hi; $i++ { … }"),
	says(`\bfor\s+(?P<i>\w+)\s+(?P<at>in)\s+(?:tl\.)?(?:static_)?range(?:\s+|\()(?P<n>[^(){}]+(?:\([^()]*\)[^(){}:]*)*?)\)?\s*[:{]?$`, "Go loops have no in", "write for $i := range $n { … }"),
	says(`^\s*for\s+(?P<i>\w+)\s*,\s*(?P<x>\w+)\s+(?P<at>in)\s+enumerate\((?P<xs>.+)\)`, "Go loops have no in", "write for $i, $x := range $xs { … }"),
	says(`^\s*for\s+(?P<x>\w+)\s+(?P<at>in)\s+(?P<xs>.+?)\s*[:{]?$`, "Go loops have no in", "write for _, $x := range $xs { … }"),
	says(`^\s*if\s+(?P<c>.+?)\s*(?P<at>:)$`, "Go blocks are written in braces", "write if $c { … }"),
	says(`^\s*(?P<at>else)\s*:$`, "Go blocks are written in braces", "write } else { … }"),
	says(`^\s*(?P<at>try|except\b.*|finally)\s*:$`, "Go has no exceptions", "an error is a value: if err != nil { … }"),
	says(`^\s*(?P<at>raise)\b`, "Go has no exceptions", `write return err, or panic("…")`),
	says(`^\s*(?P<at>(?P<w>global|nonlocal))\s`, "Go has no $w", "leave it out: a function sees the variables around it"),
	says(`^\s*(?P<x>\w+)(?P<at>:)\s*[A-Za-z_][\w.]*\s*=\s*(?P<v>.+)$`, "Go writes no colon before a type", "write $x := $v"),
	says(`^\s*(?P<at>with)\s+\S`, "Go has no with", "write defer f.Close()"),
	says(`^\s*(?P<at>assert)\s+(?P<c>[^,]+)`, "Go has no assert", `write if !($c) { panic("…") }; in a kernel p.Assert($c, "…")`),
	says(`^\s*(?P<at>del)\s+`, "Go has no del", "leave it out: memory that nothing uses is freed; delete(m, key) is for maps"),
	says(`^\s*(?P<at>print)\s+(?P<x>[^\s=:].*)$`, "print is not a statement in Go", "write $x alone to see it, or fmt.Println($x)"),
	says(`(?P<at>\btype)\s*\((?P<x>[^()]*)\)\s*$`, "Go has no function type()", `write fmt.Printf("%T\n", $x)`),
	asks(`^\s*import\s+(?P<at>(?P<path>[A-Za-z_][\w.]*))\s*(?:as\s+\w+)?$`, imported),
	asks(`^\s*(?P<at>from)\s+(?P<path>[\w.]+)\s+import\b`, imported),

	says(`(?P<at>\blambda)\s*:\s*(?P<y>[^,)\]]+)`, "Go has no lambda", "write func() int { return $y }"),
	says(`(?P<at>\blambda)\s+(?:meta|META|args)\s*:`, "Go has no lambda", "write func(m exec.Meta) exec.Grid { return exec.Grid{…} }"),
	says(`(?P<at>\blambda)\s+(?P<x>[\w, ]+):\s*(?P<y>[^,)\]]+)`, "Go has no lambda", "write func($x int) int { return $y }"),

	// Strings, once more: what is no comment.
	says(`\b(?P<at>[fF])["']`, "Go has no f-strings", `write fmt.Sprintf("… %v …", x)`),
	says("\\b(?P<at>[rRbBuU])[\"']", "Go strings have no prefix", "write a raw string in ` `"),
	says(`(?P<at>')(?P<s>_{2,})'`, "single quotes hold one character in Go", `write "$s"`),
	says(`(?P<at>'')`, "single quotes hold one character in Go", `write ""`),

	// Calls, indices, lists.
	asks(`\b(?P<pkg>tl|tensor|np|numpy|torch)\.(?P<at>(?P<f>[zZ]eros|[oO]nes|[eE]mpty|[fF]ull))\(\s*[\[(](?P<n>[^()\[\]]*?),?\s*[\])]\s*(?P<rest>(?:,[^()]*)?)\)`, created),
	says(`(?P<k>[\w.]+)\[(?P<at>\()(?P<g>[^()]*?(?:\([^()]*\)[^()]*?)*?),?\s*\)\s*\](?P<args>.*)`, "a grid is not a tuple in Go", "write $k[$g]$args"),
	asks(`^(?P<line>.*[(,]\s*(?P<at>(?P<name>\w+)\s*=)\s*(?P<v>[^=\s].*))$`, named),
	says(`(?P<x>[\w.]+)(?P<at>\[)(?P<i>[^\[\]:]+,[^\[\]:]+)\]\s*=\s*(?P<v>[^=].*)$`, "a Go index is one number", "write $x.Set($v, $i)"),
	says(`(?P<x>[\w.]+)(?P<at>\[)(?:[^\[\]]*:[^\[\]]*,[^\[\]]*|[^\[\]]*,[^\[\]]*:[^\[\]]*)\]`, "a Go index is one number", "for a tensor write $x.Slice(0, lo, hi) or $x.Select(1, i); [:, None] adds a dimension"),
	asks(`(?P<x>[\w.]+)(?P<at>\[)(?P<i>[^\[\]:]+,[^\[\]:]+)\]`, indexed),
	asks(`(?:^|[=(,]|\breturn)\s*(?P<at>\[)(?P<v>[^\[\]]*)\]\s*(?:$|[),])`, list),
	asks(`(?:^|[=(,]|\breturn)\s*(?P<at>\{)(?P<k>[^{}:,]*):(?P<v>[^{}]*)\}`, dict),
	says(`(?:^|[=,]|\breturn)\s*(?P<at>\()(?P<v>[^()]*,[^()]*)\)\s*$`, "Go has no tuples", "write []int{$v}, or x, y := $v"),
	says(`(?P<at>\brange)\s*\((?P<n>.+)\)\s*$`, "range belongs in a for statement", "write for i := range $n { … }; as a tile: tl.Arange(0, $n)"),

	// Operators.
	says(`(?:^|[=(,]|\breturn\s)\s*(?P<x>[^=(,]+?)\s+(?P<at>if)\s+(?P<c>.+?)\s+else\s+(?P<y>[^,)]+)`, "Go has no x if c else y", "for tiles write tl.Where($c, $x, $y), otherwise if $c { … } else { … }"),
	says(`(?P<x>[\w.]+)\s+not\s+(?P<at>in)\s+(?P<xs>[\w.]+)`, "Go has no in", "write !slices.Contains($xs, $x)"),
	says(`(?P<x>[\w.]+)\s+(?P<at>in)\s+(?P<xs>[\w.]+)`, "Go has no in", "write slices.Contains($xs, $x)"),
	says(`(?P<x>[\w.]+)\s+(?P<at>is)\s+not\s+(?P<y>\w+)`, "Go has no is", "write $x != $y"),
	says(`(?P<x>[\w.]+)\s+(?P<at>is)\s+(?P<y>\w+)`, "Go has no is", "write $x == $y"),
	says(`^(?P<x>[^&|()=]*[<>=!]=?[^&|()=]*)\s(?P<at>and)\s+(?P<y>[^&|()=]*[<>=!]=?[^&|()=]*?)$`, "Go has no and", "write $x && $y, for tiles ($x) & ($y)"),
	says(`(?P<x>[\w.)\]]+)\s+(?P<at>and)\s+(?P<y>[\w.(!]+)`, "Go has no and", "write $x && $y, for tiles $x & $y"),
	says(`(?P<x>[\w.)\]]+)\s+(?P<at>or)\s+(?P<y>[\w.(!]+)`, "Go has no or", "write $x || $y, for tiles $x | $y"),
	says(`(?P<at>\bnot)\s+(?P<x>[\w.]+)\s*$`, "Go has no not", "write !$x"),
	says(`(?P<at>\bnot)\s+(?P<x>.+?)\s*$`, "Go has no not", "write !($x)"),
	says(`(?P<x>\w[\w.]*)\s*(?P<at>@)\s*(?P<y>\w[\w.]*)`, "Go has no operator @", "write tl.Dot($x, $y) with two tiles"),
	says(`(?P<at>@)`, "Go has no operator @", "write tl.Dot(x, y) with two tiles"),
	says(`(?P<at>~)\s*(?P<x>\w[\w.]*)`, "Go has no operator ~", "write !$x for a mask, ^$x for integers"),
	says(`(?P<at>~)`, "Go has no operator ~", "write !x for a mask, ^x for integers"),
	says(`(?P<at><>)`, "Go has no operator <>", "write !="),
	says(`(?P<at>\?)`, "Go has no operator ?", "write if … { … } else { … }, for tiles tl.Where(c, x, y)"),
	says(`(?P<at>#)`, "Go's comments begin with //", "write // in place of #"),
}

// imported is an advice about a package.
func imported(l *Language, m groups) (msg, fix string) {
	msg = "a Go import is a path in quotes"
	name, _, _ := strings.Cut(m["path"], ".")
	switch name {
	case "triton", "tl":
		return msg, "leave it out: tl, tensor, exec, fmt and math are there"
	case "numpy", "np", "torch", "jax", "cupy":
		return msg, "leave it out: package tensor is there, as in tensor.Zeros(tl.Float32, 8, 8)"
	}
	if path := l.Import(name); path != "" {
		return msg, `write import "` + path + `"`
	}
	return msg, `leave it out; the packages of Go are imported as in import "strings"`
}

// created is an advice about zeros((2, 3)) and its like.
func created(l *Language, m groups) (msg, fix string) {
	pkg, name := "tl", strings.ToUpper(m["f"][:1])+m["f"][1:]
	if name == "Ones" {
		name = "Full"
	}
	if m["pkg"] != "tl" {
		pkg = "tensor"
	}
	dtype, value := "Float32", ""
	if name == "Full" {
		value = ", 1"
	}
	for _, part := range strings.Split(m["rest"], ",") {
		part = strings.TrimSpace(part)
		if d := tlName.FindStringSubmatch(part); d != nil {
			dtype = d[1]
			if s := l.Spell(dtype); s != "" {
				dtype = s
			}
		} else if part != "" && !strings.Contains(part, "=") {
			value = ", " + part
		}
	}
	if name == "Empty" {
		pkg = "tensor"
	}
	return "sizes are not a tuple in Go", "write " + pkg + "." + name + "(tl." + dtype + value + ", $n)"
}

var namedArg = regexp.MustCompile(`[(,]\s*\w+\s*=[^=]`)

// named is an advice about f(x, name=v).
func named(l *Language, m groups) (msg, fix string) {
	msg = "Go has no named arguments"
	if line := strings.TrimSpace(l.spelled(m["line"])); len(line) < 90 && !namedArg.MatchString(line) {
		return msg, "write " + line
	}
	switch m["name"] {
	case "num_warps", "num_stages", "num_ctas":
		return msg, "leave " + m["name"] + " out: it is about GPUs"
	}
	return msg, "give the value in its place, without its name; options are values such as tl.Mask(m), tl.Other(0), tl.Axis(1)"
}

// indexed is an advice about x[i, j].
func indexed(l *Language, m groups) (msg, fix string) {
	if l.Kernel(m["x"]) {
		return "$x is a kernel, not an array", "a launch also takes arguments: $x[$i](…)"
	}
	return "a Go index is one number", "write $x.At($i) to see the element; in a kernel load it: tl.Load($x + offsets)"
}
