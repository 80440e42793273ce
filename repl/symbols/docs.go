package symbols

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed z_doc_tilelang.txt
var docTilelang string

//go:embed z_doc_tensor.txt
var docTensor string

//go:embed z_doc_exec.txt
var docExec string

//go:embed z_doc_check.txt
var docCheck string

//go:embed z_doc_diag.txt
var docDiag string

//go:embed z_doc_dtype.txt
var docDType string

// A Doc is what a package says about one of its names.
type Doc struct {
	Decl string // the declaration: func Cdiv(x, d int) int
	Text string // the comment

	Example Example // cells that show what it does; "" if there are none
}

var docs = sync.OnceValue(func() map[string]map[string]Doc {
	return map[string]map[string]Doc{
		"github.com/tiler-go/tiler/tilelang":        parseDocs(docTilelang),
		"github.com/tiler-go/tiler/tilelang/tensor": parseDocs(docTensor),
		"github.com/tiler-go/tiler/tilelang/diag":   parseDocs(docDiag),
		"github.com/tiler-go/tiler/tilelang/dtype":  parseDocs(docDType),
		"github.com/tiler-go/tiler/exec":            parseDocs(docExec),
		"github.com/tiler-go/tiler/exec/check":      parseDocs(docCheck),
	}
})

// DocOf is the documentation of a name, or of a method as Type.Method, of a package
// of tiler; false for what has none.
func DocOf(path, name string) (Doc, bool) {
	d, ok := docs()[path][name]
	d.Example, _ = ExampleOf(path, name)
	return d, ok
}

// parseDocs reads a file of lines with a name, each followed by indented lines with
// its declaration and, after the declaration's last line, its comment.
func parseDocs(text string) map[string]Doc {
	entries := map[string]Doc{}
	var name string
	var lines []string
	flush := func() {
		if name != "" {
			n := 1
			for n < len(lines) && (strings.HasPrefix(lines[n], "\t") || lines[n] == "}") {
				n++
			}
			entries[name] = Doc{Decl: strings.Join(lines[:n], "\n"), Text: strings.Join(lines[n:], "\n")}
		}
		lines = nil
	}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if body, ok := strings.CutPrefix(line, "\t"); ok || line == "" {
			lines = append(lines, body)
			continue
		}
		flush()
		name = line
	}
	flush()
	return entries
}
