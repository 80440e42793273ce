package main

import (
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// wasi runs a program of wasip1 in node.
const wasi = `import { WASI } from 'node:wasi';
import { readFileSync } from 'node:fs';
const wasi = new WASI({ version: 'preview1', args: ['tiler', ...process.argv.slice(3)], env: {}, returnOnExit: true });
const program = await WebAssembly.instantiate(await WebAssembly.compile(readFileSync(process.argv[2])), wasi.getImportObject());
process.exitCode = wasi.start(program);
`

// TestWebAssembly: everything but the terminal works as WebAssembly, of a browser and of a
// server: cells, pictures, a check that fails, a promotion and a launch of compiled code.
func TestWebAssembly(t *testing.T) {
	if os.Getenv("TILER_LONG") == "" {
		t.Skip("two builds of everything: TILER_LONG=1 makes them")
	}
	node, err := osexec.LookPath("node")
	if err != nil {
		t.Skip("no node here, which runs WebAssembly (Debian: nodejs)")
	}
	script := filepath.Join(t.TempDir(), "wasi.mjs")
	if err := os.WriteFile(script, []byte(wasi), 0o644); err != nil {
		t.Fatal(err)
	}
	goroot, err := osexec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	glue := filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec_node.js")
	for system, run := range map[string][]string{
		"js":     {"--stack-size=4096", glue},
		"wasip1": {"--no-warnings", script},
	} {
		t.Run(system, func(t *testing.T) {
			env := append(os.Environ(), "GOOS="+system, "GOARCH=wasm")
			build := osexec.Command("go", "build", "./...")
			build.Dir, build.Env = root, env
			if text, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			file := filepath.Join(t.TempDir(), "tiler.wasm")
			build = osexec.Command("go", "build", "-ldflags=-s -w", "-o", file, ".")
			build.Env = env
			if text, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			tiler := osexec.Command(node, append(run, file, "-norc")...)
			tiler.Stdin = strings.NewReader(wasmSession)
			text, err := tiler.CombinedOutput()
			if err == nil || tiler.ProcessState.ExitCode() != 1 { // of the check that fails
				t.Errorf("ended with %v", err)
			}
			for _, want := range []string{
				"A  f32[8,8]: 16 of 64 elements touched",
				"1 │ » » · · · · ■ ■",
				"error: out-of-bounds: tl.Load: lane [4] of [32] is x[100], 1\n  element past the end of x",
				"promoted to portable, compiled in",
				"add on [4]: portable, ",
			} {
				if !strings.Contains(string(text), want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
		})
	}
}

const wasmSession = `A := tensor.Arange(tl.Float32, 0, 64).Reshape(8, 8)
a, b := tl.Arange(0, 4)*8, tl.Arange(0, 4)
A + (a[:, None] + b[None, :] + 6)
func stray(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
	o := tl.Arange(0, B) + p.ID(0)*B
	tl.Store(out+o, tl.Load(x+o)+1, tl.Mask(o < n))
}
func add(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
	o := tl.Arange(0, B) + p.ID(0)*B
	tl.Store(out+o, tl.Load(x+o, tl.Mask(o < n))+1, tl.Mask(o < n))
}
x, out := tensor.Rand(1, tl.Float32, 100), tensor.Empty(tl.Float32, 100)
:check stray[4](x, out, 100, 32)
:promote add[4](x, out, 100, 32)
exec.New(add).Launch(exec.Grid{4}, x, out, 100, 32)
`
