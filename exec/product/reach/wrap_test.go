package reach

import (
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
)

// TestWrap: narrow integers that depend on a program id may wrap, those that fit, or depend on another one, do not.
func TestWrap(t *testing.T) {
	f := ir.MustParse(`func f() "f.go" {
  v1 i64 = program_id @1:1
  v2 i32 = fits v1 "x" @1:1
  v3 i32 = add v2 v2 @1:1
  v4 i64 = cast v3 @1:1
  v5 i64 = mul v1 v1 @1:1
  return @1:1
}`)
	for i, want := range []bool{false, false, true, true, false} {
		v := f.Body.Values[i]
		if got := Wrap([]*ir.Value{v}, 0); got != want {
			t.Errorf("%s: %v, want %v", v.Name(), got, want)
		}
		if Wrap([]*ir.Value{v}, 1) {
			t.Errorf("%s may wrap by a program id that it does not depend on", v.Name())
		}
	}
}
