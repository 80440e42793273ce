package bench

import (
	"slices"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/bench/limit"
	"github.com/tiler-go/tiler/exec/bench/peer"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

const tlFloat32 = tl.Float32

// TestTable: rows have names of their own, and what they refer to is there.
func TestTable(t *testing.T) {
	keys := map[string]bool{}
	for _, r := range rows() {
		id := r.name + " " + r.label
		if keys[id] {
			t.Errorf("%s: two rows have this name", id)
		}
		keys[id] = true
		if len(r.threads) == 0 || r.unit.name == "" {
			t.Errorf("%s: no threads or no unit", id)
		}
		if (r.program == nil) == (r.side == nil) {
			t.Errorf("%s: want either a program or a side", id)
		}
		var rivals []string
		for _, v := range r.rivals {
			if _, ok := peer.Named(v.peer); !ok && v.peer != "" {
				t.Errorf("%s: no peer %s", id, v.peer)
			}
			if slices.Contains(rivals, v.key) {
				t.Errorf("%s: two rivals %s", id, v.key)
			}
			rivals = append(rivals, v.key)
		}
		for _, b := range r.bars {
			if b.against != "" && b.against != "peak" && !slices.Contains(rivals, b.against) {
				t.Errorf("%s: a bar against %s, which is no rival", id, b.against)
			}
			if (b.against == "") != (b.most > 0) || (b.against != "") != (b.least > 0) {
				t.Errorf("%s: a bar of %+v", id, b)
			}
		}
		if _, ok := limit.MultiplyAdds[r.peak.fma]; r.peak.fma != "" && !ok {
			t.Errorf("%s: no multiply-add %s", id, r.peak.fma)
		}
		for _, m := range r.peak.memory {
			if _, ok := limit.Streams[m]; !ok {
				t.Errorf("%s: no pass over memory %s", id, m)
			}
		}
	}
}

// small are programs like those of the table, of sizes that the interpreter can do.
func small() []program {
	return []program{
		biasProgram(size{16, 16, 16}, tl.Float16), biasProgram(size{16, 16, 16}, tl.Float32),
		blocksProgram(size{32, 48, 40}, tl.Float32, tl.Float16, false), blocksProgram(size{16, 32, 64}, tl.BFloat16, tl.Float32, true),
		stridedProgram(size{40, 50, 60}, size{16, 32, 16}, tl.Float16, true), programInt8(size{20, 30, 40}, size{16, 16, 16}),
		programSoftmax(5, 33), programLayernorm(5, 33), programAdd(1000, 256), programAttention(2, 40, 16, 16, 16), programNothing(3),
	}
}

// TestPrograms: the kernels compute what they are compared with, in every engine.
func TestPrograms(t *testing.T) {
	for _, engine := range exec.Engines() {
		for _, p := range small() {
			if _, err := newLaunchSide(p, setup{engine, 1}); err != nil {
				t.Errorf("%s in %s: %v", p.name, engine, err)
			}
		}
	}
}

// TestAnswers: a result that is a little wrong in one place is found out.
func TestAnswers(t *testing.T) {
	for _, p := range small() {
		if p.out == nil {
			continue
		}
		if _, err := newLaunchSide(p, setup{"portable", 1}); err != nil {
			t.Errorf("%s: %v", p.name, err)
			continue
		}
		b, at := p.out.Buf(), p.out.Len()-2
		b.SetBits(at, dtype.FromFloat(b.DType(), dtype.ToFloat(b.DType(), b.Bits(at))+0.25))
		if b.DType() == tl.Int32 {
			b.SetBits(at, b.Bits(at)+1)
		}
		if err := p.want.check(elementsOf(p.out)); err == nil || !strings.Contains(err.Error(), "wrong result") {
			t.Errorf("%s: a wrong element gives %v", p.name, err)
		}
	}
}

// TestWhole: with few elements compared, the sums of rows find what is wrong
// elsewhere.
func TestWhole(t *testing.T) {
	s := size{30, 30, 30}
	x, y, a, b := operands(s, tl.Float32, false)
	want := matrixAnswer(x, y, s.m, s.n, s.k, 1e-5, 1e-4)
	want.most = 2
	out := tensor.Zeros(tl.Float32, s.m, s.n)
	for i := range s.m * s.n {
		out.Buf().SetBits(i, dtype.FromFloat(tl.Float32, matrixAnswer(x, y, s.m, s.n, s.k, 0, 0).at(i)))
	}
	if err := want.check(elementsOf(out)); err != nil {
		t.Errorf("the right result: %v", err)
	}
	out.Buf().SetBits(31, dtype.FromFloat(tl.Float32, 3))
	if err := want.check(elementsOf(out)); err == nil || !strings.Contains(err.Error(), "row 1") {
		t.Errorf("a wrong element gives %v, want one that names its row", err)
	}
	_, _ = a, b
}

func TestTextOf(t *testing.T) {
	for _, name := range []string{"bias", "blocks", "strided", "attention"} {
		text, err := textOf(name)
		if err != nil || strings.Count(text, "\nfunc ") != 1 || !strings.Contains(text, "func "+name+"(") {
			t.Errorf("%s: error %v, text\n%s", name, err, text)
		}
	}
	if _, err := textOf("nobody"); err == nil {
		t.Error("a kernel that is not there must be an error")
	}
}

func TestCompileSide(t *testing.T) {
	s, err := newCompileSide(func() program { return biasProgram(size{16, 16, 16}, tl.Float16) })(setup{"portable", 1})
	if err != nil {
		t.Fatal(err)
	}
	if took, err := s.run(2); err != nil || !(took > 0) {
		t.Errorf("took %v, error %v", took, err)
	}
}

// TestDirect: code without checks computes the same.
func TestDirect(t *testing.T) {
	for _, engine := range exec.Engines()[2:] { // those of machine code
		for _, p := range []program{programSoftmax(5, 33), programAdd(1000, 256), programLayernorm(5, 33), programAttention(2, 40, 16, 16, 16)} {
			for _, unchecked := range []bool{false, true} {
				s, err := newDirectSide(p, engine, unchecked)
				if err != nil {
					t.Errorf("%s in %s, unchecked %v: %v", p.name, engine, unchecked, err)
					continue
				}
				s.close()
			}
		}
	}
}
