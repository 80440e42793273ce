//go:build !tiler_page

package source

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// end is the address behind the function and what fills up the space to the next one.
func (b built) end() uintptr {
	in := func(n uintptr) bool {
		f := runtime.FuncForPC(b.entry + n)
		return f != nil && f.Entry() == b.entry
	}
	n := uintptr(16)
	for in(n) {
		n *= 2
	}
	lo, hi := uintptr(0), n
	for lo+1 < hi {
		if mid := (lo + hi) / 2; in(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return b.entry + hi
}

// A place is a line of a function, which may be part of another's code.
type place struct {
	function, file string
	line           int
}

// A looked is the places of a function, each once, and the last of them, but for what belongs to its beginning: where it
// returns, mostly.
type looked struct {
	at   []place
	last place
}

// lookedAt is the functions whose instructions were looked at: entry → looked. Where an instruction comes from is found
// byte by byte, each from the function's beginning, 1 µs a byte.
var lookedAt sync.Map

// places is the lines that the function's instructions come from.
func (b built) places() looked {
	if l, ok := lookedAt.Load(b.entry); ok {
		return l.(looked)
	}
	var l looked
	var before place
	seen := map[place]bool{}
	for pc, end := b.entry, b.end(); pc < end; pc++ {
		f := runtime.FuncForPC(pc)
		if f == nil {
			continue
		}
		at := place{function: f.Name()}
		at.file, at.line = f.FileLine(pc)
		if at == before || at.line == 0 {
			continue
		}
		if before = at; !seen[at] {
			seen[at] = true
			l.at = append(l.at, at)
		}
		if at.function != b.name || at.line != b.line {
			l.last = at
		}
	}
	lookedAt.Store(b.entry, l)
	return l
}

// prefix is what the names of all functions of the package begin with.
func (b built) prefix() string {
	i := strings.LastIndexByte(b.name, '/') + 1
	if j := strings.IndexByte(b.name[i:], '.'); j >= 0 {
		return b.name[:i+j+1]
	}
	return b.name
}

// prefixOf is that of a package's functions, "" being the function's own package.
func (b built) prefixOf(pkg string) string {
	if pkg == "" {
		return b.prefix()
	}
	i := strings.LastIndexByte(pkg, '/') + 1
	return pkg[:i] + strings.ReplaceAll(pkg[i:], ".", "%2e") + "."
}

// own is the function's name without that of its package.
func (b built) own() string { return strings.TrimPrefix(b.name, b.prefix()) }

// nearby is how many functions of other packages may lie between two of one: copies of
// generic ones, and of what types need.
const nearby = 1 << 10

// packages are the functions of packages of the program that were looked at.
var packages sync.Map // prefix → []built

// neighbours are the functions of the package in the program, the function itself
// included. The linker keeps them together, all but copies that packages share.
func (b built) neighbours() []built {
	prefix := b.prefix()
	if b.entry == 0 {
		return nil // it is known by its name only
	}
	if list, ok := packages.Load(prefix); ok {
		return list.([]built)
	}
	list := b.around(prefix)
	packages.Store(prefix, list)
	return list
}

func (b built) around(prefix string) (list []built) {
	visit := func(pc uintptr, next func(built) uintptr) {
		for other := 0; other < nearby; {
			n, ok := builtAt(pc)
			switch {
			case !ok:
				return
			case strings.HasPrefix(n.name, prefix):
				list, other = append(list, n), 0
			default:
				other++
			}
			pc = next(n)
		}
	}
	visit(b.entry, func(n built) uintptr { return n.end() })
	visit(b.entry-1, func(n built) uintptr { return n.entry - 1 })
	return list
}

// A function literal is named by what it is in, and numbered in the order of the source.
var literalName = regexp.MustCompile(`^(.*(?:\.func|\.))(\d+)$`)

// counted is the name of a function literal without its number.
func (b built) counted() (name string, number int, ok bool) {
	m := literalName.FindStringSubmatch(b.name)
	if m == nil {
		return "", 0, false
	}
	number, err := strconv.Atoi(m[2])
	return m[1], number, err == nil
}

var literalDepth = regexp.MustCompile(`\.func\d+((?:\.\d+)*)$`)

// depth is how many function literals the function is within, itself included; -1 if
// its name does not tell.
func (b built) depth() int {
	m := literalDepth.FindStringSubmatch(b.name)
	if m == nil {
		return -1
	}
	return 1 + strings.Count(m[1], ".")
}

// ownLiteral is how the name of a literal goes on behind that of the function in whose text it is.
var ownLiteral = regexp.MustCompile(`^(?:func)?\d`)

// choose is the one of a file's functions that was built as b. Of several that begin on a
// line, names, parameters and the order of function literals decide; if they do not,
// it is an error.
func (b built) choose(fs []gofile.Function, params int) (f gofile.Function, err error) {
	var here []gofile.Function
	for _, f := range fs {
		if f.Line == b.line && f.File == b.file {
			here = append(here, f)
		}
	}
	_, _, literal := b.counted()
	list := slices.DeleteFunc(slices.Clone(here), func(f gofile.Function) bool {
		name := strings.TrimSuffix(b.own(), "[...]")
		return len(f.Params) != params || !literal && f.Name != name || literal && f.Name != ""
	})
	switch len(list) {
	case 0:
		return f, &staleError{b, fmt.Sprintf("no such function begins at line %d", b.line)}
	case 1:
		return list[0], nil
	}
	same := slices.DeleteFunc(here, func(f gofile.Function) bool { return f.Name != "" || f.Depth != b.depth() })
	twins := b.twins()
	if i := slices.Index(twins, b); i >= 0 && len(twins) == len(same) && len(same[i].Params) == params {
		return same[i], nil
	}
	return f, fmt.Errorf("%d functions begin at %s:%d, and nothing tells which of them this is: begin each on a line of its own",
		len(list), diag.ShortPath(b.file), b.line)
}

// twins are the function literals of the program that begin on the same line as b, in
// the order of the source.
func (b built) twins() []built {
	name, _, _ := b.counted()
	number := func(x built) int { _, n, _ := x.counted(); return n }
	list := slices.DeleteFunc(slices.Clone(b.neighbours()), func(x built) bool {
		other, _, ok := x.counted()
		return !ok || other != name || x.line != b.line || x.file != b.file
	})
	slices.SortFunc(list, func(x, y built) int { return cmp.Compare(number(x), number(y)) })
	return list
}

// A staleError is a source that the running program was not built of.
type staleError struct {
	of  built
	why string
}

func (e *staleError) Error() string {
	return fmt.Sprintf("%s is not what the running program was built of: %s\n\tbuild it again, or pass the source with exec.Source(text, name), for example from //go:embed",
		diag.ShortPath(e.of.file), e.why)
}

// compare compares the text of a function, and of those that it calls, with the lines
// that the running program has code for: where they begin and end, that there is nothing on
// other lines, and that memory is accessed where the text says so. What it cannot see is
// a change within a line that leaves all lines as they were.
func (b built) compare(f *gofile.Function, use gofile.Use) error {
	code := []built{b}
	called := map[string]built{} // of the functions in use, those that have code of their own
	list := b.neighbours()
	for i := range use.Functions {
		for _, n := range list {
			if use.Functions[i].Package == "" && n.own() == use.Functions[i].Name {
				called[n.name] = n
				code = append(code, n)
			}
		}
	}
	whole := code
	for _, n := range list {
		for _, c := range whole {
			if strings.HasPrefix(n.name, c.name+".") {
				code = append(code, n)
			}
		}
	}
	ps, last := map[place]bool{}, map[string]place{}
	for _, c := range code {
		l := c.places()
		for _, at := range l.at {
			ps[at] = true
		}
		last[c.name] = l.last
	}
	all := []*gofile.Function{f}
	for i := range use.Functions {
		all = append(all, &use.Functions[i])
	}
	if len(use.Functions) == 0 { // nothing is known yet of what it calls, whose literals may have become part of it
		maps.DeleteFunc(ps, func(at place, _ bool) bool {
			inner, in := strings.CutPrefix(at.function, b.name+".")
			return in && !ownLiteral.MatchString(inner)
		})
	}
	text := map[place]bool{} // all lines of all functions
	for _, f := range all {
		for line := range f.Lines() {
			text[place{"", f.File, line}] = true
		}
	}
	for i, f := range all {
		c, whole := b, true
		if i > 0 {
			name := b.prefixOf(f.Package) + f.Name
			if c, whole = called[name]; !whole { // all of it is part of others, or, of another package, it cannot be found
				c = built{name: name, file: f.File, line: f.Line}
			}
		}
		if err := c.matches(f, ps, text); err != nil {
			return err
		}
		if whole {
			if err := c.matchesWhole(f, ps, last[c.name]); err != nil {
				return err
			}
		}
	}
	return nil
}

// holds reports of a file whether functions of the package come from it.
func (b built) holds() func(file string) bool {
	files := sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for _, n := range b.neighbours() {
			m[n.file] = true
		}
		return m
	})
	return func(file string) bool { return files()[file] }
}

// stale is an error about the function's source.
func (b built) stale(format string, args ...any) error {
	return &staleError{b, fmt.Sprintf(format, args...)}
}

// matches reports whether all code of a function comes from lines of its text, also that of
// the literals in it and what became part of other functions. text are the lines of all
// functions whose literals may have become part of it.
func (b built) matches(f *gofile.Function, ps map[place]bool, text map[place]bool) error {
	if b.file != f.File || !f.Begins(b.line) {
		return b.stale("in the program %s begins at %s:%d", b.own(), diag.ShortPath(b.file), b.line)
	}
	lines := f.Lines()
	for at := range ps {
		_, there := lines[at.line]
		switch own := at.function == b.name; {
		case own && at.file != f.File && !b.holds()(at.file):
			// A function of another package became part of this one, and an instruction of it lost its name.
		case own && at.file != f.File:
			return b.stale("in the program %s is in %s", b.own(), diag.ShortPath(at.file))
		case own && !there:
			return b.stale("the program has code of %s for line %d, where there is nothing of it", b.own(), at.line)
		case strings.HasPrefix(at.function, b.name+".") && !text[place{"", at.file, at.line}]:
			return b.stale("the program has code of a function literal in %s for line %d, where there is nothing of it", b.own(), at.line)
		}
	}
	return nil
}

// matchesWhole reports whether a function of which all code is known has some where its text
// ends, and where it certainly accesses memory. last is where it seems to return: where a
// branch ends the code, its line, or what it comes from, is that of the return, too.
func (b built) matchesWhole(f *gofile.Function, ps map[place]bool, last place) error {
	has := func(line int) bool { return ps[place{b.name, b.file, line}] }
	if end := f.End(); end > 0 && !has(end) && last.function == b.name && !f.Lines()[last.line] {
		return b.stale("in the program %s ends at line %d, not %d", b.own(), last.line, end)
	}
	for _, span := range f.Accesses() {
		found := false
		for line := span[0]; line <= span[1]; line++ {
			found = found || has(line)
		}
		if !found {
			return b.stale("the program has no code of %s for line %d", b.own(), span[0])
		}
	}
	return nil
}
