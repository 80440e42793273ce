package op

import (
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// golden compares text with a file of testdata; UPDATE=1 in the environment rewrites it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") != "" {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	was, is := strings.Split(string(data), "\n"), strings.Split(got, "\n")
	for i := range max(len(was), len(is)) {
		var a, b string
		if i < len(was) {
			a = was[i]
		}
		if i < len(is) {
			b = is[i]
		}
		if a != b {
			t.Errorf("%s:%d: got %q, want %q", path, i+1, b, a)
		}
	}
}

// forPrograms calls f for every program of the table, in order.
func forPrograms(f func(o Op, d dtype.DType, p *Prog)) {
	for o := None + 1; o < NumOps; o++ {
		for d, p := range o.Row().Progs {
			if p != nil {
				f(o, dtype.DType(d), p)
			}
		}
	}
}

// TestProgramLengths holds the number of instructions of each program to what it was:
// those that always run, those in skipped regions, and constants. Bitcasts cost nothing
// and do not count.
func TestProgramLengths(t *testing.T) {
	var text strings.Builder
	fmt.Fprintf(&text, "%-9s %-8s %6s %7s %9s\n", "op", "dtype", "always", "skipped", "constants")
	forPrograms(func(o Op, d dtype.DType, p *Prog) {
		_, region := p.usesAndRegions()
		always, skipped, constants := 0, 0, 0
		for i := range p.Body {
			switch {
			case p.Body[i].Op == Const:
				constants++
			case p.Body[i].Op == Bitcast:
			case region[i] != 0:
				skipped++
			default:
				always++
			}
		}
		fmt.Fprintf(&text, "%-9s %-8s %6d %7d %9d\n", o, d, always, skipped, constants)
	})
	golden(t, "lengths.txt", text.String())
}

// TestProgramBits holds the results of each program to what they were, bit by bit and
// whatever the compiler may fuse: a NaN counts as one value.
func TestProgramBits(t *testing.T) {
	var text strings.Builder
	forPrograms(func(o Op, d dtype.DType, p *Prog) {
		fmt.Fprintf(&text, "%-9s %-8s %s\n", o, d, bitsOf(o, d, p))
	})
	golden(t, "bits.txt", text.String())
}

func bitsOf(o Op, d dtype.DType, p *Prog) string {
	name := fnv.New64()
	name.Write([]byte(o.String()))
	r := rand.New(rand.NewPCG(name.Sum64(), uint64(d))) // other ops may come before this one
	s := samples{d: d, r: r}
	switch {
	case d.IsInt():
		for range 4096 {
			s.x, s.y = append(s.x, r.Uint64()), append(s.y, r.Uint64())
		}
	case len(p.In) == 2:
		s.pairs(1024)
	default:
		s.binades(1)
		s.dense([]interval{{-1, 1}, {-100, 100}, {-750, 750}, {-1e6, 1e6}}, 4096)
	}
	x, y := bufOf(d, s.x), bufOf(d, s.y)
	z := dtype.NewBuf(o.Result(d), len(s.x))
	Apply(o, d, z, []dtype.Buf{x, y, y, x}[:len(p.In)]...)
	h := sha256.New()
	for i := range z.Len() {
		bits := z.Bits(i)
		if v := dtype.ToFloat(z.DType(), bits); z.DType().IsFloat() && v != v {
			bits = math.MaxUint64
		}
		fmt.Fprintln(h, bits)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// TestRunLanes runs programs over every number of lanes around a chunk and in place:
// each lane gives what it gives alone.
func TestRunLanes(t *testing.T) {
	const most = 2*lanes + 3
	forPrograms(func(o Op, d dtype.DType, p *Prog) {
		s := samples{d: d, r: rand.New(rand.NewPCG(5, uint64(o)))}
		for range most {
			s.x = append(s.x, s.r.Uint64())
		}
		x, want := bufOf(d, s.x), dtype.NewBuf(o.Result(d), most)
		in := []dtype.Buf{x, x, x, x}[:len(p.In)]
		p.Run(want, in...)
		for _, n := range []int{1, 2, 63, lanes - 1, lanes, lanes + 1, most} {
			z := x
			if o.Result(d) != d {
				z = dtype.NewBuf(o.Result(d), most)
			}
			z = z.Slice(0, n)
			saved := dtype.NewBuf(d, most)
			copy(saved.Bytes(), x.Bytes())
			for i := range in {
				in[i] = x.Slice(0, n)
			}
			p.Run(z, in...)
			for i := range n {
				if a, b := z.Bits(i), want.Bits(i); a != b && !bothNaN(z.DType(), a, b) {
					t.Fatalf("%s %s: lane %d of %d is %x, want %x", o, d, i, n, a, b)
				}
			}
			copy(x.Bytes(), saved.Bytes())
		}
	})
}

func bothNaN(d dtype.DType, a, b uint64) bool {
	x, y := dtype.ToFloat(d, a), dtype.ToFloat(d, b)
	return d.IsFloat() && x != x && y != y
}
