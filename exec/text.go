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

// files are the source files that kernels were compiled from last, by text.
var files struct {
	mu     sync.Mutex
	byText map[string]*frontend.File
}

// maxFiles bounds what is kept of texts that nobody may need again, as those of cells.
const maxFiles = 64

// load parses a source file, or finds it parsed.
func load(name, text string) (*frontend.File, error) {
	files.mu.Lock()
	f := files.byText[text]
	files.mu.Unlock()
	if f != nil {
		return f, nil
	}
	f, err := frontend.Load(name, text)
	if err != nil {
		return nil, err
	}
	if len(f.Errors()) > 0 {
		if rest := siblings(name, text); len(rest) > 0 {
			f, err = frontend.Load(name, text, rest...)
		}
	}
	if err != nil {
		return nil, err
	}
	files.mu.Lock()
	defer files.mu.Unlock()
	if len(files.byText)%maxFiles == 0 {
		files.byText = map[string]*frontend.File{}
	}
	files.byText[text] = f
	return f, nil
}

// sourceFile is the source of the kernel's function and its name there.
func (k *Kernel) sourceFile() (*frontend.File, string, error) {
	if k.src.Go != "" {
		f, err := load(k.src.Name+".go", k.src.Go)
		return f, k.src.Name, err
	}
	name, line := k.position()
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, "", fmt.Errorf("%s: its source is not available: %w\n\tpass it with exec.Source(text, name), for example from //go:embed", k.name, err)
	}
	if newer(name) {
		return nil, "", fmt.Errorf("%s: %s is newer than the running program: build it again", k.name, shortPath(name))
	}
	f, err := load(name, string(text))
	if err != nil {
		return nil, "", err
	}
	kernel, found := f.KernelAt(line)
	if !found {
		return nil, "", fmt.Errorf("%s: no kernel begins at %s:%d", k.name, shortPath(name), line)
	}
	return f, kernel, nil
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

// newer reports whether a file has changed since the running program was made of it.
func newer(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !programTime().IsZero() && info.ModTime().After(programTime())
}

// siblings are the other files of a file's package, which may declare what it names.
func siblings(name, text string) (rest []frontend.Source) {
	if !filepath.IsAbs(name) {
		return nil
	}
	clause := packageClause(text)
	names, _ := filepath.Glob(filepath.Join(filepath.Dir(name), "*.go"))
	for _, other := range names {
		test := strings.HasSuffix(other, "_test.go")
		if other == name || test && !strings.HasSuffix(name, "_test.go") {
			continue
		}
		if b, err := os.ReadFile(other); err == nil && packageClause(string(b)) == clause {
			rest = append(rest, frontend.Source{Name: other, Text: string(b)})
		}
	}
	return rest
}

// packageClause is the name after the first line that begins with the word package.
func packageClause(text string) string {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "package" {
			return f[1]
		}
	}
	return ""
}
