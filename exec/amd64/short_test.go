package amd64

import (
	"bytes"
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

// TestRoundsFit: in rounds without checks no number is looked at that fits in all of them.
func TestRoundsFit(t *testing.T) {
	const text = `func f(v1 *i32 "z", v2 i64 "n", v3 i64 "from") "f.go" {
  v4 i64 = const 0 @1:1
  for v4 v2 #1 @1:1 {
    (v5 i64)
    v6 i64 = add v5 v3 @1:2
    v7 i32 = fits v6 "tl.Store" @1:3
    v8 *i32 = ptradd v1 v5 @1:4
    store v8 v7 "tl.Store" @1:5
    yield @1:6
  }
  return @2:1
}`
	for _, tier := range runnable(t) {
		code := listed(t, text, tier)
		if n := bytes.Count(code, []byte("; v7 i32 = fits")); n != 2 { // with checks, and its failure
			t.Errorf("%v: the number is looked at in %d places\n%s", tier, n, code)
		}
	}
}
