package pass_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass"
	"github.com/tiler-go/tiler/exec/pass/carried"
	"github.com/tiler-go/tiler/exec/pass/pairs"
	"github.com/tiler-go/tiler/exec/pass/runs"
	"github.com/tiler-go/tiler/exec/pass/woven"
)

// TestRuns makes runs of the functions of an archive: NAME/in gives NAME/out, which is NAME/in if there are none.
func TestRuns(t *testing.T) {
	eachMade(t, "runs", func(f *ir.Func) *ir.Func { return pass.Runs(f, runs.Want{Lanes: 16}) })
}

// TestCarried does so for tiles that loops carry.
func TestCarried(t *testing.T) { eachMade(t, "carried", carried.Run) }

// TestOnce does so for rows of one block.
func TestOnce(t *testing.T) { eachMade(t, "once", pass.Once) }

// TestEither writes code on either side of branches on flags that mask loads off.
func TestEither(t *testing.T) { eachMade(t, "either", pass.Once) }

// TestRounded does so for what stores round.
func TestRounded(t *testing.T) { eachMade(t, "rounded", pass.Rounded) }

// eachMade compares what is made of the functions of an archive, which stay as they are, with its other half.
func eachMade(t *testing.T, archive string, run func(f *ir.Func) *ir.Func) {
	eachOfArchive(t, archive, func(name, text string) string {
		f := ir.MustParse(text)
		before := f.String()
		r := run(f)
		if err := ir.Verify(r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if f.String() != before {
			t.Errorf("%s: what it is made of has changed", name)
		}
		got := r.String()
		if again, err := ir.Parse(got); err != nil || again.String() != got {
			t.Errorf("%s: the text is not read back: %v", name, err)
		}
		return got
	})
}

// TestSwizzled does so for pairs that lie within 16 lanes.
func TestSwizzled(t *testing.T) {
	eachMade(t, "swizzle", func(f *ir.Func) *ir.Func { return pairs.Run(f, 16) })
}

// TestWoven does so for stores to every second element.
func TestWoven(t *testing.T) { eachMade(t, "woven", woven.Run) }

// stepped turns rows of w elements: an element of a row is STEP times its number in the row of x.
const stepped = `func stepped(v1 *TYPE "x", v2 *TYPE "z", v3 i64 "w") "k.go" {
  v5 i32[64] = arange @1:1
  v6 i64 = program_id @1:1
  v7 i64 = const 64 @1:1
  v8 i64 = mul v6 v7 @1:1
  v9 i32 = fits v8 "Tile.Add" @1:1
  v10 i32[64] = broadcast v9 @1:1
  v11 i32[64] = add v5 v10 @1:1
  v12 i32 = fits v3 "Tile.Mod" @1:1
  v13 i32[64] = broadcast v12 @1:1
  v14 i32[64] = mod v11 v13 "Tile.Mod" @1:1
  v15 i32 = const STEP @1:1
  v16 i32[64] = broadcast v15 @1:1
  v17 i32[64] = mul v14 v16 @1:1
  v18 i32[64] = floordiv v11 v13 "Tile.FloorDiv" @1:1
  v19 i32[64] = mul v18 v13 @1:1
  v20 i32[64] = LIMIT v17 v19 @1:1
  v21 *TYPE[64] = broadcast v1 @1:1
  v22 *TYPE[64] = ptradd v21 v20 @1:1
  v23 TYPE[64] = load v22 "tl.Load" @1:1
  v24 *TYPE[64] = broadcast v2 @1:1
  v25 *TYPE[64] = ptradd v24 v11 @1:1
  store v25 v23 "tl.Store" @1:1
  return @1:1
}
`

// TestStridedRuns: runs are longer where elements do not lie side by side.
func TestStridedRuns(t *testing.T) {
	for _, c := range []struct {
		typ, step, limit string
		lanes, least     int
	}{
		{"f32", "1", "add", 8, 12}, {"f32", "1", "sub", 8, 12}, {"u8", "1", "add", 8, 12}, {"f32", "-1", "add", 8, 12},
		{"f16", "-1", "add", 8, 24}, {"u8", "-1", "add", 8, 24}, {"f32", "2", "add", 8, 24}, {"f32", "1", "minimum", 8, 24},
		{"f32", "2", "add", 16, 16},
	} {
		text := strings.NewReplacer("TYPE", c.typ, "STEP", c.step, "LIMIT", c.limit).Replace(stepped)
		got := pass.Runs(ir.MustParse(text), runs.Want{Lanes: c.lanes}).String()
		for _, n := range []int{12, 16, 24} {
			if is := strings.Contains(got, fmt.Sprintf("= const %d @", n)); is != (n == c.least) {
				t.Errorf("%v: a divisor is compared with %d: %v", c, n, is)
			}
		}
	}
}
