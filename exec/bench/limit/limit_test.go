package limit

import (
	"testing"

	"github.com/tiler-go/tiler/exec/codemem"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// tiers are those of this machine that have limits.
func tiers(t *testing.T) (all []cpu.Tier) {
	for _, tier := range cpu.Tiers() {
		if codemem.Supported && tier >= cpu.AVX2 {
			all = append(all, tier)
		}
	}
	if all == nil {
		t.Skip("no machine code here")
	}
	return all
}

func TestStreams(t *testing.T) {
	for _, tier := range tiers(t) {
		for kind, s := range Streams {
			l, err := Stream(kind, 40000, tier, 2)
			if err != nil {
				t.Fatal(err)
			}
			out := l.keep[2]
			out.Fill(0)
			if took, err := l.Run(1); err != nil || !(took > 0) {
				t.Errorf("%s: took %v, error %v", kind, took, err)
			}
			want := float64(s.reads) // of ones
			if s.store == 0 {
				want = 0
			}
			for i := range out.Len() {
				if got := dtype.ToFloat(dtype.Float32, out.Bits(i)); got != want {
					t.Errorf("%s in %s: element %d is %v, want %v", kind, tier, i, got, want)
					break
				}
			}
			l.Close()
		}
	}
}

func TestMultiplyAdds(t *testing.T) {
	for _, tier := range tiers(t) {
		for kind, m := range MultiplyAdds {
			l, err := MultiplyAdd(kind, tier, 2)
			if !tier.Features().Has(m.needs) || m.Wide && tier != cpu.AVX512 {
				if err == nil {
					t.Errorf("%s in %s must be refused", kind, tier)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s in %s: %v", kind, tier, err)
				continue
			}
			if took, err := l.Run(2); err != nil || !(took > 0) || l.Work <= 0 {
				t.Errorf("%s: took %v, error %v", kind, took, err)
			}
			l.Close()
		}
	}
	if _, err := MultiplyAdd("f32", cpu.Portable, 1); err == nil {
		t.Error("there is no limit in a portable engine")
	}
}
