package amd64

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestSearchesAreShort: the code of a search by halving grows by the same with each of its steps.
func TestSearchesAreShort(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Float32, dtype.Uint8} {
		for _, mask := range []string{"", " v7 masked", " v7 v8 masked other", " v10 masked"} {
			for _, tier := range runnable(t) {
				for _, of := range []func(dtype.DType, string, int) string{searchOf, chainOf} {
					few, many := lines(t, of(d, mask, 4), tier), lines(t, of(d, mask, 8), tier)
					if many > 3*few {
						t.Errorf("%v, %v%s: 4 steps take %d lines, 8 take %d", tier, d, mask, few, many)
					}
				}
			}
		}
	}
}

// lines is how long the listing of a Func is.
func lines(t *testing.T, text string, tier cpu.Tier) int {
	return bytes.Count(listed(t, text, tier), []byte("\n"))
}

// listed is a Func's code.
func listed(t *testing.T, text string, tier cpu.Tier) []byte {
	f := ir.MustParse(text)
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	code, err := Compile(f, Options{Tier: tier, Listing: true})
	if err != nil {
		t.Fatal(err)
	}
	defer code.Free()
	var list bytes.Buffer
	if err := code.WriteListing(&list, nil); err != nil {
		t.Fatal(err)
	}
	return list.Bytes()
}

// searchHead is what searches begin with.
const searchHead = `func k(v1 *DTYPE "edges", v2 *f32 "x", v3 *i32 "out", v4 i32 "n") "k.go" {
  v5 i32[100] = arange
  v6 i32[100] = broadcast v4
  v7 bool[100] = lt v5 v6
  v9 i32[100] = mul v5 v5
  v10 bool[100] = lt v9 v6
  v11 i32 = const 1
  v21 DTYPE = cast v11
  v8 DTYPE[100] = broadcast v21
  v12 *f32[100] = broadcast v2
  v13 i64[100] = cast v5
  v14 *f32[100] = ptradd v12 v13
  v15 f32[100] = load v14
  v16 i32 = const 1
  v17 i32[100] = broadcast v16
  v18 *DTYPE[100] = broadcast v1
  v19 *i32[100] = broadcast v3
  v20 *i32[100] = ptradd v19 v13
`

// chainOf goes on from elements that are loaded under a mask, or stays where it is.
func chainOf(d dtype.DType, mask string, steps int) string {
	text, at := searchHead, "v5"
	for i := range steps {
		step := strings.NewReplacer("AT", at, "_", fmt.Sprint(10+i), "MASK", mask)
		text += step.Replace(`  v_0 i32[100] = add AT v17
  v_1 i64[100] = cast AT
  v_2 *DTYPE[100] = ptradd v18 v_1
  v_3 DTYPE[100] = load v_2MASK
  v_4 f32[100] = cast v_3
  v_5 bool[100] = le v_4 v15
  v_6 i32[100] = where v_5 AT v_0
`)
		at = fmt.Sprintf("v%d6", 10+i)
	}
	return strings.ReplaceAll(text, "DTYPE", d.String()) + "  store v20 " + at + "\n  return\n}\n"
}

// searchOf looks for elements of x among edges, which are loaded under a mask.
func searchOf(d dtype.DType, mask string, steps int) string {
	text, lo, hi := searchHead, "v5", "v6"
	for i := range steps {
		step := strings.NewReplacer("LO", lo, "HI", hi, "_", fmt.Sprint(10+i), "MASK", mask)
		text += step.Replace(`  v_0 i32[100] = add LO HI
  v_1 i32[100] = shr v_0 v17
  v_2 i64[100] = cast v_1
  v_3 *DTYPE[100] = ptradd v18 v_2
  v_4 DTYPE[100] = load v_3MASK
  v_5 f32[100] = cast v_4
  v_6 bool[100] = le v_5 v15
  v_7 i32[100] = where v_6 v_1 LO
  v_8 i32[100] = where v_6 HI v_1
`)
		lo, hi = fmt.Sprintf("v%d7", 10+i), fmt.Sprintf("v%d8", 10+i)
	}
	return strings.ReplaceAll(text, "DTYPE", d.String()) + "  store v20 " + lo + "\n  return\n}\n"
}
