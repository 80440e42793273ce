//go:build tiler_page

package source

import "github.com/tiler-go/tiler/exec/frontend/gofile"

// The program of the page has no files: the sources of its kernels are given, and there is nothing to compare.

func (w *Written) find(pc uintptr, _ int) error {
	w.File, _ = Position(pc)
	return trimmed(w.File)
}

// AsBuilt has nothing to say on the page.
func (w *Written) AsBuilt() error { return nil }

func (b built) holds() func(file string) bool { return nil }

func imports(string, []string) []gofile.Import { return nil }

func siblings(string, string, func(string) bool) (rest []gofile.Source, names map[string]bool) {
	return nil, nil
}
