package diag

import (
	"strings"
	"testing"
)

func TestError(t *testing.T) {
	d := At(Pos{"k.go", 3, 7}, "tl.Dot: inner sizes differ: %d and %d", 64, 32).
		NoteAt(Pos{"k.go", 2, 0}, "a is f32[16,64]").Note("b is f32[32,16]").Fix("load b as [64, n]")
	want := "k.go:3:7: tl.Dot: inner sizes differ: 64 and 32\n\tk.go:2: a is f32[16,64]\n\tb is f32[32,16]\n\tfix: load b as [64, n]"
	if got := d.Error(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestRender(t *testing.T) {
	src := func(string) string { return "package k\n\n\tif x {\n\t\ty := tl.Maxx(x)\n" }
	d := At(Pos{"k.go", 4, 11}, "undefined: tl.Maxx (did you mean tl.Max?)").Note("a note")
	want := "k.go:4:11: undefined: tl.Maxx (did you mean tl.Max?)\n\ty := tl.Maxx(x)\n\t        ^\n\ta note"
	if got := Render(d, src); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	for _, p := range []Pos{{}, {"k.go", 99, 1}, {"k.go", 4, 400}} {
		Render(At(p, "no such place"), src) // must not panic
	}
}

// TestRenderLong: of a long line what is around the place is shown.
func TestRenderLong(t *testing.T) {
	line := strings.Repeat("é", 500) + "\tx" + strings.Repeat("y", 500)
	d := At(Pos{"k.go", 1, 1002}, "wrong")
	want := "k.go:1:1002: wrong\n\t…" + strings.Repeat("é", 59) + "\tx" + strings.Repeat("y", 99) + "…\n\t" + strings.Repeat(" ", 60) + "\t^"
	if got := Render(d, func(string) string { return line }); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	d.Pos.Col = 1
	want = "k.go:1:1: wrong\n\t" + strings.Repeat("é", 160) + "…\n\t^"
	if got := Render(d, func(string) string { return line }); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"Maximum", "Max", "Min", "Sum", "Load", "Arange", "Store"}
	for in, want := range map[string]string{"Maxx": "Max", "arange": "Arange", "Laod": "Load", "Sotre": "Store", "Xyzzy": "", "maximm": "Maximum", "": ""} {
		if got := Nearest(in, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", in, got, want)
		}
	}
}
