package product

import (
	"os"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestFind says which kernels may be one matrix product, and has their epilogues verified.
func TestFind(t *testing.T) {
	for _, tt := range []struct {
		name  string
		int8s bool
		want  bool
	}{
		{"product", false, true}, {"product_f16", false, true}, {"product_mod", false, true}, {"product_pairs", false, true},
		{"product_persistent", false, true}, {"product_grouped", false, true}, {"product_picked", false, true},
		{"product_int8", true, true}, {"product_int8", false, false},
		{"softmax", true, false}, {"layernorm", true, false}, {"attention", true, false}, {"add", true, false},
	} {
		text, err := os.ReadFile("../amd64/testdata/" + tt.name + ".ir")
		if err != nil {
			t.Fatal(err)
		}
		f := ir.MustParse(string(text))
		m := Find(f, fuse.Plan(f, false), tt.int8s)
		if (m != nil) != tt.want {
			t.Errorf("%s, of int8 if asked for (%v): found is %v, want %v", tt.name, tt.int8s, m != nil, tt.want)
		}
		if m == nil {
			continue
		}
		for _, unit := range []bool{false, true} {
			if err := ir.Verify(m.Epilogue(32, 48, unit)); err != nil {
				t.Errorf("%s: the epilogue, unit %v: %v", tt.name, unit, err)
			}
		}
	}
}

// TestWalked: programs that go through several blocks each are one product, however many they are, unless the blocks
// are not all of the result, each once.
func TestWalked(t *testing.T) {
	const n = 200
	mem := ir.Arg{Mem: dtype.NewBuf(dtype.Float32, n*n)}
	size := func(x int) ir.Arg { return ir.Arg{Bits: uint64(x)} }
	args := []ir.Arg{mem, mem, mem, size(n), size(n), size(n), size(64), size(64), size(32), size(8)}
	launch := func(text string, programs int) *Launch {
		f := ir.MustParse(text)
		return Find(f, fuse.Plan(f, false), false).Launch(args[:len(f.Params)], [3]int{programs, 1, 1})
	}
	for _, name := range []string{"product_persistent", "product_grouped"} {
		text, err := os.ReadFile("../amd64/testdata/" + name + ".ir")
		if err != nil {
			t.Fatal(err)
		}
		for _, programs := range []int{1, 3, 16, 100} {
			if w := launch(string(text), programs); w == nil || w.M != n || w.N != n || w.K != n {
				t.Errorf("%s by %d programs: %+v, want one product", name, programs, w)
			}
		}
		const first = "program_id"
		if !strings.Contains(string(text), first) {
			t.Fatalf("%s has no %s", name, first)
		}
		if w := launch(strings.Replace(string(text), first, "const 1", 1), 4); w != nil {
			t.Errorf("%s without block 0, and others four times: %+v, want none", name, w)
		}
	}
}

// TestUneven: a loop that does not go along K by the same in every round is no product.
func TestUneven(t *testing.T) {
	text, err := os.ReadFile("../amd64/testdata/product_persistent.ir")
	if err != nil {
		t.Fatal(err)
	}
	const even = "mul v53 v46"
	for _, uneven := range []string{"minimum v53 v46", "mul v53 v53"} {
		f := ir.MustParse(strings.Replace(string(text), even, uneven, 1))
		if Find(f, fuse.Plan(f, false), false) != nil {
			t.Errorf("with %s in place of %s it is found", uneven, even)
		}
	}
}
