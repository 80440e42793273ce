//go:build !tiler_page

package source

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// find reads the source of a function of the program. What it finds is what the
// running function was built of, as far as positions can tell.
func (w *Written) find(pc uintptr, params int) error {
	b, ok := builtAt(pc)
	if !ok {
		return errors.New("the program does not tell where it is written")
	}
	w.built, w.File = &b, b.file
	if !filepath.IsAbs(b.file) {
		return trimmed(b.file)
	}
	text, err := os.ReadFile(b.file)
	if err != nil {
		return fmt.Errorf("its source is not available: %w%s", err, give)
	}
	w.Text = string(text)
	fs, err := gofile.Functions(b.file, w.Text)
	if err != nil {
		return err
	}
	if w.Function, err = b.choose(fs, params); err != nil {
		return err
	}
	return b.compare(&w.Function, gofile.Use{})
}

// AsBuilt compares what a kernel is compiled from with the running program: what it calls, and where the rest is
// declared. Of a source that was given there is nothing to compare.
func (w *Written) AsBuilt() error {
	if w.built == nil {
		return nil
	}
	f, kernel, err := w.Kernel()
	if err != nil {
		return err
	}
	use, err := f.Uses(kernel)
	if err != nil {
		return err
	}
	for _, name := range append(use.Files, w.File) {
		if newer(name) {
			return fmt.Errorf("%s is newer than the running program: build it again", diag.ShortPath(name))
		}
	}
	compared, ok := w.compared.Load(f)
	if !ok {
		compared = w.built.compare(&w.Function, use)
		w.compared.Store(f, compared)
	}
	err, _ = compared.(error)
	return err
}

// programTime is when the running program was what its source is: when it was built,
// or, for go run and go test, which have just compared the two, when it was started.
// It is zero if that is not known.
var programTime = sync.OnceValue(func() (t time.Time) {
	name, err := os.Executable()
	if err != nil {
		return t
	}
	if strings.Contains(filepath.ToSlash(name), "/go-build") {
		return started
	}
	info, err := os.Stat(name)
	if err != nil {
		return t
	}
	return info.ModTime()
})

var started = time.Now()

// newer reports whether a file was written after the running program was made: it may be
// another than the program was made of. That it is not newer proves nothing; see compare.
func newer(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !programTime().IsZero() && info.ModTime().After(programTime())
}
