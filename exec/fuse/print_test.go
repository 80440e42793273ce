package fuse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
)

const softmax = `func k(v1 *f32 "x", v2 *f32 "out", v3 i64 "n") "k.go" {
  v4 i64 = program_id
  v5 i64 = mul v4 v3
  v6 *f32 = ptradd v1 v5
  v7 *f32 = ptradd v2 v5
  v8 i32[1024] = arange
  v9 i64[1024] = cast v8
  v10 *f32[1024] = broadcast v6
  v11 *f32[1024] = ptradd v10 v9
  v12 f32[1024] = load v11
  v13 f32 = max v12 axis=0
  v14 f32[1024] = broadcast v13
  v15 f32[1024] = sub v12 v14
  v16 f32[1024] = exp v15
  v17 f32 = sum v16 axis=0
  v18 f32[1024] = broadcast v17
  v19 f32[1024] = div v16 v18
  v20 *f32[1024] = broadcast v7
  v21 *f32[1024] = ptradd v20 v9
  store v21 v19
  return
}
`

// TestSchedulePrints: what a schedule has decided can be read.
func TestSchedulePrints(t *testing.T) {
	f := ir.MustParse(softmax)
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	const want = `v13 max: ends the head, which is done for the next instance
v16 exp: kept
v17 sum: prefetches for v22, 1 ahead; prefetches for v12, 3 ahead if the last store is non-temporal
v22 store: prefetches for v12, 3 ahead unless the last store is non-temporal; comes behind the next instance's head
`
	if got := Plan(f, false).String(); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

// TestScanWithinStore: a row is scanned by the loop of its only user, a store; not if there is another one. A
// Func that does little else waits for its additions.
func TestScanWithinStore(t *testing.T) {
	const row = `func k(v1 *f32 "x", v2 *f32 "out") "k.go" {
  v11 i32[64] = arange
  v3 i64[64] = cast v11
  v4 *f32[64] = broadcast v1
  v5 *f32[64] = ptradd v4 v3
  v6 f32[64] = load v5
  v7 f32[64] = cumsum v6 axis=0
  v8 f32[64] = %s
  v9 *f32[64] = broadcast v2
  v10 *f32[64] = ptradd v9 v3
  store v10 v8
%s  return
}
`
	for _, x := range []struct {
		use, more     string
		within, alone bool
	}{
		{"mul v7 v7", "", true, true},
		{"exp v7", "", true, false},
		{"mul v7 v7", "  store v5 v7\n", false, false},
	} {
		f := ir.MustParse(fmt.Sprintf(row, x.use, x.more))
		if err := ir.Verify(f); err != nil {
			t.Fatal(err)
		}
		p := Plan(f, false)
		if got := strings.Contains(p.String(), "v7 cumsum: within the store's loop\n"); got != x.within || p.SumsAlone() != x.alone {
			t.Errorf("%s%s: within %v, sums alone %v:\n%s", x.use, x.more, got, p.SumsAlone(), p)
		}
	}
}

// TestRandomNumbersAreKept: what a loop needs of random numbers is drawn ahead of it, once.
func TestRandomNumbersAreKept(t *testing.T) {
	f := ir.MustParse(`func k(v1 *f32 "out") "k.go" {
  v2 i32[64] = arange
  v3 u32[64] = cast v2
  v4 u32 = const 0
  v5 u32[64] = broadcast v4
  v6 f32[64] = rand v3 v5 v5 v5
  v7 i64 = const 0
  v8 i64 = const 9
  v9 i64[64] = cast v2
  v10 *f32[64] = broadcast v1
  v11 *f32[64] = ptradd v10 v9
  for v7 v8 #1 {
    (v12 i64)
    v13 f32 = cast v12
    v14 f32[64] = broadcast v13
    v15 f32[64] = add v6 v14
    store v11 v15
    yield
  }
  return
}
`)
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	if got := Plan(f, false).String(); !strings.Contains(got, "v6 rand: kept") {
		t.Errorf("got:\n%s", got)
	}
}
