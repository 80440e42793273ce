package jupyter

import (
	"context"
	"fmt"
	"os"
	osexec "os/exec"
	"strings"
)

// seen is the packages that the tutorials' cells import, and what gonb adds.
var seen = []string{
	Module + "/exec", Module + "/tilelang/tensor", Module + "/notebooks/nb",
	gonbModule + "/gonbui", gonbModule + "/cache",
}

// A workspace is a folder that sees a clone as the folder of gonb's cells does: a module
// in a workspace with it. There the go command wants the go.mod of every module that the
// clone requires, also of those that only its tests or tools import; a build in the clone
// itself leaves them out.
type workspace struct {
	g   Go
	dir string
}

func newWorkspace(ctx context.Context, g Go, clone string) (w workspace, err error) {
	if w.dir, err = os.MkdirTemp("", "tiler-cells-"); err != nil {
		return w, err
	}
	w.g = g
	for _, args := range [][]string{{"mod", "init", "cells"}, {"work", "init", ".", clone}} {
		if out, err := w.command(ctx, args...).CombinedOutput(); err != nil {
			w.remove()
			return w, fmt.Errorf("go %s: %w\n\t%s", strings.Join(args, " "), err, strings.TrimSpace(string(out)))
		}
	}
	return w, nil
}

func (w workspace) remove() { os.RemoveAll(w.dir) }

// command is a go command in the workspace, which compiles as cells are compiled.
func (w workspace) command(ctx context.Context, args ...string) *osexec.Cmd {
	cmd := osexec.CommandContext(ctx, w.g.Path, args...)
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=", "GOFLAGS="+cellFlags)
	return cmd
}

// compileOnce compiles what cells import, so that the first one does not wait for it and
// every module that they need is in the cache.
func compileOnce(ctx context.Context, g Go, clone string, log Log) error {
	w, err := newWorkspace(ctx, g, clone)
	if err != nil {
		return err
	}
	defer w.remove()
	if err := log.run(w.command(ctx, append([]string{"build", "-v"}, seen...)...), "compiling what cells import"); err != nil {
		return fmt.Errorf("%w\n\t%s", err, modulesFrom)
	}
	return nil
}

// modules reports what cells lack of Go's module cache.
func modules(ctx context.Context, g Go, clone string) error {
	w, err := newWorkspace(ctx, g, clone)
	if err != nil {
		return err
	}
	defer w.remove()
	cmd := w.command(ctx, append([]string{"list", "-deps"}, seen...)...)
	cmd.Env = append(cmd.Env, "GOPROXY=off") // as for cells
	out, err := cmd.CombinedOutput()
	if err != nil {
		return &Missing{What: "cells do not compile: " + tail(string(out), 1), Get: "tiler jupyter install"}
	}
	return nil
}
