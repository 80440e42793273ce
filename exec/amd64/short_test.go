package amd64

import (
	"os"
	"strings"
	"testing"
)

// TestShortRowsAreAtOnce: rows that are one block are reduced without the loops, and the padding, of longer ones.
func TestShortRowsAreAtOnce(t *testing.T) {
	text, err := os.ReadFile("testdata/softmax.ir")
	if err != nil {
		t.Fatal(err)
	}
	of := func(cols string) string { return strings.ReplaceAll(string(text), "[1024]", "["+cols+"]") }
	for _, tier := range runnable(t) {
		few, more := lines(t, of("8"), tier), lines(t, of("40"), tier)
		if 3*few > 2*more {
			t.Errorf("%v: 8 elements take %d lines, 40 take %d", tier, few, more)
		}
		t.Logf("%v: %d and %d lines", tier, few, more)
	}
}
