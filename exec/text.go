package exec

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/tiler-go/tiler/exec/frontend"
)

// files are the source files that kernels were compiled from last.
var files struct {
	mu     sync.Mutex
	parsed map[frontend.Source]*frontend.File
}

// maxFiles bounds what is kept of texts that nobody may need again, as those of cells.
const maxFiles = 64

// load parses a source file, or finds it parsed. Other files of its package are read if it
// names what they declare; holds says of a file whether the running program certainly
// has code from it.
func load(name, text string, holds func(file string) bool) (*frontend.File, error) {
	key := frontend.Source{Name: name, Text: text}
	files.mu.Lock()
	f := files.parsed[key]
	files.mu.Unlock()
	if f != nil {
		return f, nil
	}
	f, err := frontend.Load(name, text)
	if err != nil {
		return nil, err
	}
	if filepath.IsAbs(name) {
		if rest, others := siblings(name, text, holds); len(rest) > 0 && (len(f.Errors()) > 0 || f.Shadowed(others)) {
			f, err = frontend.Load(name, text, rest...)
		}
	}
	if err != nil {
		return nil, err
	}
	files.mu.Lock()
	defer files.mu.Unlock()
	if len(files.parsed)%maxFiles == 0 {
		files.parsed = map[frontend.Source]*frontend.File{}
	}
	files.parsed[key] = f
	return f, nil
}

// sourceFile is the source of the kernel's function and its name there.
func (k *Kernel) sourceFile() (*frontend.File, string, error) {
	if k.lowered != nil {
		return nil, "", fmt.Errorf("%s: it is no Go function", k.name)
	}
	if k.src.Go != "" {
		f, err := load(k.src.Name+".go", k.src.Go, nil)
		return f, k.src.Name, err
	}
	w := k.written()
	if w.err != nil {
		return nil, "", fmt.Errorf("%s: %w", k.name, w.err)
	}
	f, err := load(w.file, w.text, w.built.holds())
	if err != nil {
		return nil, "", err
	}
	kernel := f.Kernel(w.function)
	if kernel == "" {
		return nil, "", fmt.Errorf("%s: no kernel begins at %s:%d", k.name, shortPath(w.file), w.function.Line)
	}
	return f, kernel, nil
}

// asBuilt compares what the kernel was compiled from with the running program: what it
// calls, and where the rest is declared.
func (k *Kernel) asBuilt() error {
	if k.given() {
		return nil
	}
	f, kernel, err := k.sourceFile()
	if err != nil {
		return err
	}
	use, err := f.Uses(kernel)
	if err != nil {
		return err
	}
	w := k.written()
	for _, name := range append(use.Files, w.file) {
		if newer(name) {
			return fmt.Errorf("%s: %s is newer than the running program: build it again", k.name, shortPath(name))
		}
	}
	compared, ok := w.compared.Load(f)
	if !ok {
		compared = w.built.compare(&w.function, use)
		w.compared.Store(f, compared)
	}
	if err, _ := compared.(error); err != nil {
		return fmt.Errorf("%s: %w", k.name, err)
	}
	return nil
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
