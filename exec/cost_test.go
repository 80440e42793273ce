package exec

import (
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/cpu"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func printsRows(p *tl.Program, x, out tl.Ptr, B tl.Const) {
	offs := tl.Arange(0, B)
	v := tl.Load(x.Add(offs))
	p.Print("rows", v)
	tl.Store(out.Add(offs), v)
}

// TestPromotedWithGo: a promotion says what its code leaves to Go.
func TestPromotedWithGo(t *testing.T) {
	if cpu.Best() < cpu.AVX2 {
		t.Skip("no machine code on this processor")
	}
	x, out := tensor.Rand(1, tl.Float32, 16), tensor.Empty(tl.Float32, 16)
	k := New(printsRows, Options{Memory: "off", Output: new(strings.Builder), Check: CheckOptions{NoVariations: true}})
	rep, err := k.Promote(Grid{1}, x, out, 16)
	if err != nil || len(rep.ToGo) != 1 || !strings.HasSuffix(rep.ToGo[0], ": prints") || !strings.Contains(rep.String(), "left to Go, many times slower: line ") {
		t.Errorf("%v\n%v", err, rep)
	}
}
