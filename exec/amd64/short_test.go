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

// TestScalarsBecomeFloats: a scalar of 64 bits becomes a float in about as many instructions as one of 32 bits.
func TestScalarsBecomeFloats(t *testing.T) {
	of := func(from, to string) string {
		return "func f(v1 *" + to + ` "z", v2 ` + from + ` "n") "f.go" {
  v3 ` + to + ` = cast v2 @1:1
  store v1 v3 "tl.Store" @1:2
  return @2:1
}`
	}
	for _, tier := range runnable(t) {
		for _, to := range []string{"f32", "f64"} {
			few, more := lines(t, of("i32", to), tier), lines(t, of("i64", to), tier)
			if more > few+4 {
				t.Errorf("%v: i64 to %s takes %d lines, i32 %d", tier, to, more, few)
			}
		}
	}
}
