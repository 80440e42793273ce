package kerneltest

import (
	"fmt"
	"os"
	"testing"
)

// InPart reports whether the i-th case or seed of a long suite is of the part that TILER_PART=p/n asks for: the
// cases with i%n = p. Without it all are.
func InPart(t testing.TB, i int) bool {
	text := os.Getenv("TILER_PART")
	if text == "" {
		return true
	}
	var p, n int
	if _, err := fmt.Sscanf(text, "%d/%d", &p, &n); err != nil || p < 0 || p >= n {
		t.Fatalf("TILER_PART=%q: want a part and how many there are, such as 0/2", text)
	}
	return i%n == p
}
