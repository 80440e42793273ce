package jupyter

import (
	"context"
	"fmt"
	"io/fs"
	osexec "os/exec"
	"path/filepath"
	"strings"
)

// caches is the folders in which go keeps what it compiled, and the modules it fetched.
var caches = []struct{ variable, what, free string }{
	{"GOCACHE", "compiled packages", "go clean -cache"},
	{"GOMODCACHE", "modules", "go clean -modcache"},
}

// cacheSizes is the size of each of go's caches, in bytes; 0 if it is not known.
func cacheSizes(ctx context.Context, g Go) []int64 {
	sizes := make([]int64, len(caches))
	for i, c := range caches {
		if out, err := osexec.CommandContext(ctx, g.Path, "env", c.variable).Output(); err == nil {
			sizes[i] = size(strings.TrimSpace(string(out)))
		}
	}
	return sizes
}

// size is the size of the files below a folder.
func size(dir string) (sum int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				sum += info.Size()
			}
		}
		return nil // what cannot be read is left out
	})
	return sum
}

// disk says what an installation takes on the disk: the tools, and what go's caches grew by.
func (p Place) disk(before, after []int64) string {
	text := megabytes(size(p.Bin())) + " of tools"
	for i, c := range caches {
		if grew := after[i] - before[i]; grew >= 1e6 {
			text += fmt.Sprintf("; %s of %s in Go's cache (%s frees it)", megabytes(grew), c.what, c.free)
		}
	}
	return text
}

func megabytes(n int64) string { return fmt.Sprintf("%d MB", (n+5e5)/1e6) }
