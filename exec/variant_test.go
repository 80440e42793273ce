package exec

import (
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/cpu"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A compiler that panics ends in the next engine, or the interpreter, never in the
// program that launches the kernel.
func TestCompilerPanics(t *testing.T) {
	broken := engine{"broken", cpu.Portable, func(*variant, bool) (code, error) { panic("no rule for that") }}
	x, out := tensor.Arange(tl.Float32, 0, 64), tensor.Zeros(tl.Float32, 64)
	k := alone(double, Options{Memory: "off", Engine: "broken"})
	k.engines = []engine{broken}
	if err := k.Launch(Grid{4}, x, out, 64); err == nil || !strings.Contains(err.Error(), "a fault of the compiler, not of the kernel: no rule for that") {
		t.Errorf("forced: %v", err)
	}
	for _, with := range []struct {
		engines []engine
		ran     string
	}{{[]engine{broken}, interpreted}, {[]engine{engines[0], broken}, "portable"}} {
		k := alone(double, Options{Memory: "off"}).promoteUnchecked()
		k.engines = with.engines
		if err := k.Launch(Grid{4}, x, out, 64); err != nil {
			t.Error(err)
		}
		if s := k.State(); s.Engine != with.ran {
			t.Errorf("it ran in %s, want %s: %v", s.Engine, with.ran, s)
		}
		if out.Float(63) != 126 {
			t.Errorf("the last element is %v, want 126", out.Float(63))
		}
	}
}
