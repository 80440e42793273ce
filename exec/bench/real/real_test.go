package real

import (
	"math"
	"slices"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// small are programs like those of the rows, of sizes that the interpreter can do.
func small() []Program {
	var all []Program
	for act := range 4 {
		all = append(all, programScaled8(70, act))
	}
	all = append(all, programPackedProduct(33, 70, 130), programPackedRow(70, 130), programCausalConv(35, 300))
	all = append(all, programConv2d(conv2dSize{3, 9, 7, 5, 3, 2, 1}))
	return slices.Concat(all, smallForms(), smallRows(), smallIrregular(), smallFlats())
}

// TestPrograms: the kernels compute what they are compared with, in every engine.
func TestPrograms(t *testing.T) {
	for _, engine := range exec.Engines() {
		for _, p := range small() {
			k := exec.New(p.Fn, exec.Source(Text(p.File), p.Name), exec.Options{Engine: engine})
			if err := k.Launch(p.Grid, p.Args...); err != nil {
				t.Errorf("%s in %s: %v", p.Name, engine, err)
				continue
			}
			b := p.Out.Buf()
			for i := range b.Len() {
				got, want := float64(int32(b.Bits(i))), p.At(i)
				if b.DType().IsFloat() {
					got = dtype.ToFloat(b.DType(), b.Bits(i))
				}
				if !(math.Abs(got-want) <= p.Abs+p.Rel*math.Abs(want)) {
					t.Errorf("%s in %s: element %d is %v, want %v", p.Name, engine, i, got, want)
					break
				}
			}
		}
	}
}
