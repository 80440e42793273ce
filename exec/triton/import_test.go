package triton_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/triton"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// TestModules: functions of the user's modules are called by all ways in which Python imports them.
func TestModules(t *testing.T) {
	dir := t.TempDir()
	const head = "import triton\nimport triton.language as tl\n"
	for name, text := range map[string]string{
		"lib/__init__.py":      "from .deep.more import three\n",
		"lib/deep/more.py":     head + "@triton.jit\ndef three(x):\n    return x * 3\n",
		"lib/own/__init__.py":  "",
		"lib/own/kernels.py":   "",
		"beside.py":            head + "@triton.jit\ndef double(x):\n    return x + x\n",
		"lib/own/neighbour.py": head + "@triton.jit\ndef one(x):\n    return x + 1\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ imports, value, want string }{
		{"from beside import double", "double(x)", "10"},
		{"import beside", "beside.double(x)", "10"},
		{"import beside as b", "b.double(x)", "10"},
		{"import lib", "lib.three(x)", "15"},
		{"import lib.deep.more", "lib.deep.more.three(x)", "15"},
		{"import lib.deep.more as m", "m.three(x)", "15"},
		{"from lib.deep import more", "more.three(x)", "15"},
		{"from . import neighbour", "neighbour.one(x)", "6"},
		{"from .. import three", "three(x)", "15"},
		{"from ..deep import more as m", "m.three(x)", "15"},
		{"import beside", "beside.half(x)", "the module beside has no half"},
		{"import lib.deep.more", "lib.deep.less.three(x)", "the module lib.deep has no less"},
		{"import nowhere", "nowhere.f(x)", "something of the host has no f"},
		{"from . import nowhere", "nowhere.f(x)", "something of the host has no f"},
	} {
		file := filepath.Join(dir, "lib/own/kernels.py")
		text := head + test.imports + "\n@triton.jit\ndef k(x_ptr):\n    x = tl.load(x_ptr)\n" +
			"    tl.store(x_ptr, " + test.value + ")\n"
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := launched(t, file); !strings.Contains(got, test.want) {
			t.Errorf("%s, %s: got %s, want %s", test.imports, test.value, got, test.want)
		}
	}
}

// launched is what the kernel k of a file leaves of five, or its error.
func launched(t *testing.T, file string) string {
	f, err := triton.Load(file)
	if err != nil {
		return err.Error()
	}
	k, err := f.Kernel("k")
	if err != nil {
		return err.Error()
	}
	x := tensor.Full(tl.Float32, 5, 1)
	if err := k.Launch(exec.Grid{1}, x); err != nil {
		return err.Error()
	}
	return x.String()
}
