package product

import (
	"os"
	"testing"

	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
)

// TestFind says which kernels may be one matrix product, and has their epilogues verified.
func TestFind(t *testing.T) {
	for _, tt := range []struct {
		name  string
		int8s bool
		want  bool
	}{
		{"product", false, true}, {"product_f16", false, true}, {"product_mod", false, true}, {"product_pairs", false, true},
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
