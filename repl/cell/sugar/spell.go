package sugar

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/tilelang/diag"
)

// methods is what advice calls, which has code as Go is written, and what a cell writes for it: patterns in pairs.
var methods = []string{`\b(\w+)\.Row\(\)`, "$1[None, :]", `\b(\w+)\.Col\(\)`, "$1[:, None]",
	`(\w+(?:\[[^]]*\])?)\.Lt\((\w+)\)`, "$1 < $2", `(\w+(?:\.\w+\([\w.]*\))?)\.Mul\((\w+)\)`, "$1 * $2"}

// Spell puts the code that a diagnostic advises into operators, but for files of Go.
func Spell(d *diag.Diagnostic) {
	d.Fixes = slices.Clone(d.Fixes)
	for i := range d.Fixes {
		for m := 0; m < len(methods) && !strings.HasSuffix(d.Pos.File, ".go"); m += 2 {
			d.Fixes[i] = regexp.MustCompile(methods[m]).ReplaceAllString(d.Fixes[i], methods[m+1])
		}
	}
}
