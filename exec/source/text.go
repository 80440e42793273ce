// Package source finds the text that a function of the running program was built of, or says why it cannot be had. What
// is found is what was built as far as the program's line table tells: a change within a line is not seen.
package source

import (
	"fmt"
	"path/filepath"
	"sync"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// files are the source files that kernels were compiled from last.
var files struct {
	mu     sync.Mutex
	parsed map[gofile.Source]*gofile.File
}

// maxFiles bounds what is kept of texts that nobody may need again, as those of cells.
const maxFiles = 64

// Load parses a source file, or finds it parsed. Other files of its package are read if it names what they declare, or
// reads a variable that they may assign, and those of packages that kernels call functions of; holds says of a file
// whether the running program certainly has code from it.
func Load(name, text string, holds func(file string) bool) (*gofile.File, error) {
	key := gofile.Source{Name: name, Text: text}
	files.mu.Lock()
	f := files.parsed[key]
	files.mu.Unlock()
	if f != nil {
		return f, nil
	}
	f, err := gofile.Load(name, text)
	if err != nil {
		return nil, err
	}
	if filepath.IsAbs(name) {
		if f, err = withOthers(f, key, holds); err != nil {
			return nil, err
		}
	}
	files.mu.Lock()
	defer files.mu.Unlock()
	if len(files.parsed)%maxFiles == 0 {
		files.parsed = map[gofile.Source]*gofile.File{}
	}
	files.parsed[key] = f
	return f, nil
}

// withOthers is a file with what else its kernels are made of.
func withOthers(f *gofile.File, own gofile.Source, holds func(file string) bool) (*gofile.File, error) {
	files := []gofile.Source{own}
	rest, others := siblings(own.Name, own.Text, holds)
	if len(rest) > 0 && (len(f.Errors()) > 0 || f.Shadowed(others) || f.ReadsVariables()) {
		files = append(files, rest...)
	}
	var list []gofile.Import
	for loaded := 1; ; {
		list = append(list, imports(own.Name, f.Missing())...) // of what was loaded
		if loaded == len(files)+len(list) {
			return f, nil
		}
		loaded = len(files) + len(list)
		var err error
		if f, err = gofile.LoadAll(files, list...); err != nil {
			return nil, err
		}
	}
}

// Written is a function in its source.
type Written struct {
	File, Text string
	Function   gofile.Function
	Err        error // why it is not found; then nothing else is known but, maybe, File

	built    *built   // nil if the source was given
	compared sync.Map // *gofile.File → what built.compare said of it
}

// Given is a function in a source that was given for it.
func Given(name, text string) *Written {
	w := &Written{File: name + ".go", Text: text}
	fs, err := gofile.Functions(w.File, w.Text)
	for _, f := range fs {
		if f.Name == name {
			w.Function = f
			return w
		}
	}
	if w.Err = err; err == nil {
		w.Err = fmt.Errorf("no function %s in the text that was given for it", name)
	}
	return w
}

// found are the functions of the program that were looked for, by entry.
var found sync.Map // uintptr → *Written

// Of is the function of the program that an instruction is in, which has so many parameters. Its source is read once in
// a process.
func Of(pc uintptr, params int) *Written {
	if w, ok := found.Load(pc); ok {
		return w.(*Written)
	}
	w := &Written{}
	if w.Err = w.find(pc, params); w.Err != nil {
		w.Function = gofile.Function{}
	}
	found.Store(pc, w)
	return w
}

// give is what to do where a source cannot be had.
const give = "\n\tpass it with exec.Source(text, name), for example from //go:embed"

// trimmed is why a source is not there whose folder the program does not know.
func trimmed(file string) error {
	const why = "its source is not available: the program was built with -trimpath, and does not know the folder of %s%s"
	return fmt.Errorf(why, file, give)
}

// Kernel is the file of a kernel's function, parsed, and the kernel's name there.
func (w *Written) Kernel() (*gofile.File, string, error) {
	if w.Err != nil {
		return nil, "", w.Err
	}
	var holds func(string) bool
	if w.built != nil {
		holds = w.built.holds()
	}
	f, err := Load(w.File, w.Text, holds)
	if err != nil {
		return nil, "", err
	}
	kernel := f.Kernel(w.Function)
	if kernel == "" {
		return nil, "", fmt.Errorf("no kernel begins at %s:%d", diag.ShortPath(w.File), w.Function.Line)
	}
	return f, kernel, nil
}
