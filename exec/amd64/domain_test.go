package amd64

import (
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/ir"
)

// TestEnsured: where a loop runs over a mask's lanes only, a Where with that mask takes no
// instruction; with any other it chooses lane by lane.
func TestEnsured(t *testing.T) {
	const text = "func f(v1 *f32 \"x\", v2 *f32 \"out\", v3 i32 \"n\", v4 i32 \"m\") \"k.go\" {\n" +
		"  v9 i32[64] = arange\n  v10 i64[64] = cast v9\n  v11 *f32[64] = broadcast v1\n  v12 *f32[64] = ptradd v11 v10\n" +
		"  v13 *f32[64] = broadcast v2\n  v14 *f32[64] = ptradd v13 v10\n  v15 i32[64] = broadcast v3\n  v16 bool[64] = lt v9 v15\n" +
		"  v17 i32[64] = broadcast v4\n  v18 bool[64] = lt v9 v17\n  v20 f32[64] = load v12 v16 masked \"tl.Load\"\n" +
		"  v21 f32[64] = add v20 v20\n  v22 f32[64] = where CHOICE v21 v20\n  store v14 v22 v16 masked \"tl.Store\"\n  return\n}\n"
	for _, c := range []struct {
		choice string
		blends bool
	}{{"v16", false}, {"v18", true}} {
		f, err := ir.Parse(strings.ReplaceAll(text, "CHOICE", c.choice))
		if err == nil {
			err = ir.Verify(f)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, tier := range []cpu.Tier{cpu.AVX2, cpu.AVX512} {
			if blends := strings.Contains(listing(t, f, tier), "blend"); blends != c.blends {
				t.Errorf("where %s, %v: blends %t, want %t", c.choice, tier, blends, c.blends)
			}
		}
	}
}
