package site

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/tiler-go/tiler/tilelang/overwrite"
)

const module = "github.com/tiler-go/tiler"

// Built is the prompt as WebAssembly.
type Built struct {
	Program []byte // compressed
	Whole   int64  // how large it is when it is not
	Glue    []byte // what the Go that compiled it starts it with
}

// ErrNoGo is that there is no Go to compile the program with.
var ErrNoGo = errors.New("the page's program has to be compiled once, and there is no Go toolchain on this machine\n" +
	"\tfix: install Go from https://go.dev/dl; or run tiler site DIR where there is one, copy the folder, and open it with tiler play DIR")

// once are the packages that read and check a cell, once each time it runs. They are compiled
// without inlining, which makes the program a sixteenth smaller. What runs the cell (the
// interpreter, tiles, the engine) is compiled as always.
var once = []string{"go/types", "go/parser", "go/printer", "encoding/json", module + "/repl/..."}

// Build compiles the program with the Go toolchain of this machine, from a checkout around
// the working folder or else from the module that this program was installed from. It is
// kept in the user's cache; told is called when something takes long.
func Build(ctx context.Context, told func(text string)) (*Built, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, ErrNoGo
	}
	src, err := source(ctx, told)
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, "tiler", "page")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	told("compiling the page's program (the first time in a minute or two)")
	wasm := filepath.Join(work, "tiler.wasm")
	args := []string{"build", "-trimpath", "-tags", "tiler_page", "-ldflags=-s -w -buildid=", "-o", wasm}
	for _, packages := range once {
		args = append(args, "-gcflags="+packages+"=-l")
	}
	build := exec.CommandContext(ctx, "go", append(args, "./notebooks/site/wasm")...)
	build.Dir, build.Env = src, append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=-mod=readonly", "GOWORK=off")
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the page's program cannot be compiled: %w\n%s", err, text)
	}
	whole, err := os.ReadFile(wasm)
	if err != nil {
		return nil, err
	}
	root, err := output(ctx, src, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	b := &Built{Whole: int64(len(whole))}
	if b.Glue, err = os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js")); err != nil {
		return nil, fmt.Errorf("%w\n\tfix: this Go lacks the files for WebAssembly; install it from https://go.dev/dl", err)
	}
	b.Program, err = pressed(dir, whole, told)
	return b, err
}

// pressed is the program compressed, from the cache if it was before.
func pressed(dir string, whole []byte, told func(string)) ([]byte, error) {
	sum := Files{"": whole}.version()
	kept := filepath.Join(dir, sum+".gz")
	if text, err := os.ReadFile(kept); err == nil {
		return text, nil
	}
	told("compressing it")
	text := compressed(whole)
	old, _ := filepath.Glob(filepath.Join(dir, "*.gz"))
	for _, name := range old {
		os.Remove(name)
	}
	return text, overwrite.Bytes(kept, 0o644, text)
}

// source is the folder of this module's source.
func source(ctx context.Context, told func(string)) (string, error) {
	if dir, err := output(ctx, ".", "go", "list", "-m", "-f", "{{.Dir}}", module); err == nil && dir != "" {
		return dir, nil
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Path != module || !strings.HasPrefix(info.Main.Version, "v") {
		return "", fmt.Errorf("the page's program has to be compiled once, and there is no source of tiler here\n\tfix: run this in a clone of tiler; or give a folder that tiler site wrote: tiler play DIR")
	}
	told("fetching the source of tiler " + info.Main.Version)
	text, err := output(ctx, os.TempDir(), "go", "mod", "download", "-json", module+"@"+info.Main.Version)
	var m struct{ Dir string }
	if err == nil {
		err = json.Unmarshal([]byte(text), &m)
	}
	if err != nil {
		return "", fmt.Errorf("the source of tiler %s cannot be fetched: %w\n\tfix: run this in a clone of tiler; or give a folder that tiler site wrote: tiler play DIR", info.Main.Version, err)
	}
	return m.Dir, nil
}

// output is what a command prints.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	var problem bytes.Buffer
	c.Stderr = &problem
	text, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, problem.String())
	}
	return strings.TrimSpace(string(text)), nil
}
