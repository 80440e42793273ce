package elementwise

import (
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// TestOps: what an op on a block of lanes becomes, by type and tier.
func TestOps(t *testing.T) {
	for _, tt := range []struct {
		o    op.Op
		d    dtype.DType
		tier *lir.Tier
		want string
	}{
		{op.Add, dtype.Float32, lir.AVX512, "v3 = vaddps v1, v2\n"},
		{op.Add, dtype.Float64, lir.AVX2, "v5 = vaddpd v1, v3\nv6 = vaddpd v2, v4\n"},
		{op.Lt, dtype.Int32, lir.AVX512, "k3 = vpcmpd v1, v2, 1\n"},
		{op.Lt, dtype.Int32, lir.AVX2, "v3 = vpcmpgtd v2, v1\n"},
		{op.Mod, dtype.Float64, lir.AVX512, "[frame] = "},
	} {
		g := New(tt.tier)
		aside := ""
		g.Aside = func(what string, _ bool, _ func(*frame.Frame)) { aside = what }
		operand := func() lane.Lanes { return lane.EachHalf(tt.d, func(int) lir.Reg { return g.NewVec() }) }
		x, y := operand(), operand()
		g.Elementwise(tt.o, tt.d, x, y)
		if tt.want == "[frame] = " {
			if aside != "mod of f64" {
				t.Errorf("%v of %v in %s calls out %q", tt.o, tt.d, tt.tier.Name, aside)
			}
			continue
		}
		if got := g.String(); got != tt.want {
			t.Errorf("%v of %v in %s:\n%swant:\n%s", tt.o, tt.d, tt.tier.Name, got, tt.want)
		}
	}
}
