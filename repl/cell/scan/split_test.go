package scan

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestSplitLong: a text is looked at once, however many lines it has.
func TestSplitLong(t *testing.T) {
	body := strings.Repeat("\ta = a + 1 // once\n", 20_000)
	raw := "`\n" + strings.Repeat("text {\n", 20_000) + "`"
	text := "\nfunc f() {\n" + body + "}\n\nfunc g() {}\n:ir f\nx := " + raw + "\n/* {\n\n*/ y := 1 +\n\n2\nz := ("
	start := time.Now()
	got := Split(text)
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	want := []Cell{
		{"func f() {\n" + body + "}\n\nfunc g() {}", 2}, {":ir f", 20006}, {"x := " + raw, 20007},
		{"/* {\n\n*/ y := 1 +\n\n2", 40009}, {"z := (", 40014},
	}
	if !slices.Equal(got, want) {
		for i := range got {
			t.Errorf("line %d: %.60q", got[i].Line, got[i].Text)
		}
	}
}
