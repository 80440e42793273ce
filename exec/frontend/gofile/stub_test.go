package gofile

import "testing"

// TestDeclarations: the declarations are embedded, and need neither a toolchain nor files.
func TestDeclarations(t *testing.T) {
	t.Setenv("PATH", "")
	t.Setenv("GOROOT", "/nowhere")
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Chdir(t.TempDir())
	if pkgs := declarations(); len(pkgs) != 3 {
		t.Errorf("%d packages", len(pkgs))
	}
}

func BenchmarkDeclarations(b *testing.B) {
	for b.Loop() {
		declarations()
	}
}
