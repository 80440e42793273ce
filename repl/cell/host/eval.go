package host

import (
	"context"
	"fmt"
	"go/parser"
	"io"
	"path"
	"reflect"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/tiler-go/tiler/repl/lower"
	"github.com/tiler-go/tiler/repl/symbols"
	"github.com/traefik/yaegi/interp"
)

// An engine is the interpreter. This file is the only one that knows it.
//
// The interpreter stops by a number: every frame carries the number that was current
// when it was made, and a frame whose number is not the current one ends at its next
// step. Ending a cell is raising the number. Functions and closures of earlier cells
// carry the old number too, and would do nothing for ever; so when everything that
// was running has ended, the number is put back.
type engine struct {
	i       *interp.Interpreter
	id      *uint64 // the number: the interpreter's first field
	host    *Host
	program *interp.Program
	ending  *run // was told to stop, and had not ended yet
}

func newEngine(h *Host) *engine {
	i := interp.New(interp.Options{Stdin: h.streams.in, Stdout: h.streams.out, Stderr: io.Discard, Unrestricted: true})
	// The interpreter's version is fixed in go.mod, and a test fails if its first field
	// is not what it is taken for.
	e := &engine{i: i, id: (*uint64)(unsafe.Pointer(i)), host: h}
	e.use(lower.Host, lower.Host, h.exports())
	if err := e.compile(&lower.Code{Text: "package main\nimport " + lower.Host + " \"" + lower.Host + "\"\n"}); err != nil {
		panic(err)
	}
	return e
}

// use makes a package known.
func (e *engine) use(importPath, name string, table map[string]reflect.Value) {
	// The doubled slash keeps the interpreter from replacing functions of fmt and others
	// by its own.
	if err := e.i.Use(interp.Exports{importPath + "//" + name: table}); err != nil {
		panic(err)
	}
}

// compile reads lowered code; run runs it.
func (e *engine) compile(code *lower.Code) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	for _, p := range code.Imports {
		if p == lower.Host {
			continue
		}
		pkg, ok := symbols.Find(p)
		if !ok {
			return fmt.Errorf("no package %s", p)
		}
		e.use(p, path.Base(p), e.host.override(pkg))
	}
	// The interpreter knows imports by the base name of the file, which must therefore
	// always be the same.
	f, err := parser.ParseFile(e.i.FileSet(), interp.DefaultSourceName, code.Text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	e.program, err = e.i.CompileAST(f)
	return err
}

// patience is how long what was told to stop may take to end before the prompt comes
// back without it.
const patience = 120 * time.Millisecond

// morePatience is how much longer the next cell waits for it.
const morePatience = 5 * time.Second

// run runs the code that was compiled last, until it ends, fails or ctx is done.
func (e *engine) run(ctx context.Context) error {
	p := e.program
	return e.watched(ctx, func(r *run) {
		if _, err := e.i.Execute(p); err != nil {
			r.fail(&Failure{Value: err, Text: fmt.Sprint(err)})
		}
	})
}

// watched calls what runs the interpreter, until it ends, fails or ctx is done.
func (e *engine) watched(ctx context.Context, call func(r *run)) error {
	e.settle()
	r := e.host.begin(e.stop)
	go func() {
		defer r.mainDone()
		call(r)
	}()
	select {
	case <-r.ended:
	case <-ctx.Done():
		r.halt(context.Cause(ctx))
	case <-r.stopped:
	}
	if r.cause() == nil {
		return e.host.end(r)
	}
	if r.wait(patience) {
		e.host.placed(r)
		e.restore(r)
	} else {
		e.ending = r
	}
	return e.host.end(r)
}

// settle waits for what was told to stop before and had not ended when the prompt came
// back.
func (e *engine) settle() {
	r := e.ending
	e.ending = nil
	switch {
	case r == nil:
	case r.wait(morePatience):
		e.restore(r)
	default:
		e.host.abandoned()
	}
}

// stop ends everything that the interpreter runs, at its next step.
func (e *engine) stop() { atomic.AddUint64(e.id, 1) }

// restore puts back the number that was current when a run began.
func (e *engine) restore(r *run) { atomic.StoreUint64(e.id, r.id) }

// current is the interpreter's number.
func (e *engine) current() uint64 { return atomic.LoadUint64(e.id) }

// Compile reads lowered code, which execute runs.
func (h *Host) Compile(code *lower.Code) error { return h.engine.compile(code) }

// Execute runs the code that was compiled last, until it ends, fails or ctx is done.
func (h *Host) Execute(ctx context.Context) error { return h.engine.run(ctx) }

// Give is execute for code that asks for values with Given.
func (h *Host) Give(values ...any) error {
	h.given = values
	defer func() { h.given = nil }()
	return h.Execute(context.Background())
}

// WalkThrough is execute for code that walks through a kernel: step is called after each of its statements.
func (h *Host) WalkThrough(ctx context.Context, args []any, step func(Step) error) error {
	h.walk = &walk{args: args, step: step}
	defer func() { h.walk = nil }()
	return h.Execute(ctx)
}

// Do calls fn, which calls functions of the program, as execute runs code.
func (h *Host) Do(ctx context.Context, fn func()) error {
	return h.engine.watched(ctx, func(*run) { h.Run(func(*int) { fn() }) })
}
