package exec

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// file is the file that the kernel's function is in, as the compiler recorded it.
func (k *Kernel) file() string {
	switch {
	case k.lowered != nil:
		return k.lowered.file
	case k.src.Go != "":
		return k.src.Name + ".go"
	}
	file, _ := k.position()
	return file
}

// at is where a line is that an interpreter has put into Program.Line.
func (k *Kernel) at(line int) diag.Pos {
	if k.src.At != nil {
		return k.src.At(line)
	}
	return diag.Pos{File: k.file(), Line: line}
}

// position is the file and line of the function, as the compiler recorded them.
func (k *Kernel) position() (file string, line int) {
	b, _ := builtAt(k.fn.Pointer())
	return b.file, b.line
}

// A written is a kernel's function in its source.
type written struct {
	file, text string
	function   frontend.Function
	built      *built // nil if the source was given
	err        error  // why it is not found; then there is only built

	compared sync.Map // *frontend.File → what built.compare said of it
}

// sources are the functions of the program that were looked for, by entry.
var sources sync.Map // uintptr → *written

// written is the kernel's function in its source, which is read once in a process.
func (k *Kernel) written() *written {
	if k.lowered != nil {
		return k.lowered.written()
	}
	if k.src.Go != "" {
		w := &written{file: k.src.Name + ".go", text: k.src.Go}
		fs, err := frontend.Functions(w.file, w.text)
		for _, f := range fs {
			if f.Name == k.src.Name {
				w.function = f
				return w
			}
		}
		if w.err = err; err == nil {
			w.err = fmt.Errorf("no function %s in the text that was given for it", k.src.Name)
		}
		return w
	}
	if w, ok := sources.Load(k.fn.Pointer()); ok {
		return w.(*written)
	}
	w := &written{}
	if w.err = w.find(k); w.err != nil {
		w.function = frontend.Function{}
	}
	sources.Store(k.fn.Pointer(), w)
	return w
}

// find reads the source of a function of the program. What it finds is what the
// running function was built of, as far as positions can tell.
func (w *written) find(k *Kernel) error {
	b, ok := builtAt(k.fn.Pointer())
	if !ok {
		return errors.New("the program does not tell where it is written")
	}
	w.built, w.file = &b, b.file
	const give = "\n\tpass it with exec.Source(text, name), for example from //go:embed"
	if !filepath.IsAbs(b.file) {
		return fmt.Errorf("its source is not available: the program was built with -trimpath, and does not know the folder of %s%s", b.file, give)
	}
	text, err := os.ReadFile(b.file)
	if err != nil {
		return fmt.Errorf("its source is not available: %w%s", err, give)
	}
	w.text = string(text)
	fs, err := frontend.Functions(b.file, w.text)
	if err != nil {
		return err
	}
	if w.function, err = b.choose(fs, k.fn.Type().NumIn()); err != nil {
		return err
	}
	return b.compare(&w.function, frontend.Use{})
}

// paramNames is the names of the function's parameters, nil if its source is not
// found.
func (k *Kernel) paramNames() (names []string) {
	for _, p := range k.written().function.Params {
		names = append(names, p.Name)
	}
	return names
}
