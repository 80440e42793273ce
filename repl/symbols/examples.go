package symbols

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// The examples are written by hand: subjects of the packages, and below each the names
// that are about it, with cells that show what they do. A name with more than one example
// has the first. Where the names end in ! the cells are not for running; @ is the name.
//
//go:embed examples.txt
var examplesText string

// A Subject is names of a package that belong together.
type Subject struct {
	Title string
	Names []string
}

// An Example is cells that show what a name does.
type Example struct {
	Text string
	Run  bool // it can be run anywhere, at once, and leaves nothing behind
}

type examples struct {
	subjects map[string][]Subject
	byName   map[string]map[string]Example
}

var readExamples = sync.OnceValue(func() examples { return parseExamples(examplesText) })

// examplePaths is the packages that have examples, as the examples call them.
var examplePaths = map[string]string{
	"tl":     "github.com/tiler-go/tiler/tilelang",
	"tensor": "github.com/tiler-go/tiler/tilelang/tensor",
	"exec":   "github.com/tiler-go/tiler/exec",
}

func parseExamples(text string) examples {
	x := examples{map[string][]Subject{}, map[string]map[string]Example{}}
	var path string
	var names []string
	var lines []string
	run := true
	flush := func() {
		for _, name := range names {
			if _, ok := x.byName[path][name]; !ok && len(lines) > 0 {
				own := name[strings.LastIndexByte(name, '.')+1:]
				x.byName[path][name] = Example{strings.ReplaceAll(strings.Join(lines, "\n"), "@", own), run}
			}
		}
		names, lines = nil, nil
	}
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if code, ok := strings.CutPrefix(line, "\t"); ok {
			lines = append(lines, code)
			continue
		}
		flush()
		if head, ok := strings.CutPrefix(line, "== "); ok {
			pkg, title, _ := strings.Cut(head, ": ")
			path = examplePaths[pkg]
			x.subjects[path] = append(x.subjects[path], Subject{Title: title})
			if x.byName[path] == nil {
				x.byName[path] = map[string]Example{}
			}
			continue
		}
		names = strings.Fields(line)
		if run = names[len(names)-1] != "!"; !run {
			names = names[:len(names)-1]
		}
		s := &x.subjects[path][len(x.subjects[path])-1]
		s.Names = append(s.Names, names...)
	}
	flush()
	return x
}

// Subjects is what a package of tiler has, by subject; nil for other packages.
func Subjects(path string) []Subject { return slices.Clone(readExamples().subjects[path]) }

// ExampleOf is an example of a name, or of a method as Type.Method, of a package of
// tiler; false if there is none.
func ExampleOf(path, name string) (Example, bool) {
	e, ok := readExamples().byName[path][name]
	return e, ok
}
