package tilelang_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// TestBits holds the bits of every operation against those recorded in testdata, which
// are the same on every platform and at every level of instructions that the compiler
// may use: it is run with GOAMD64=v1 and v3. A change of meaning shows here by name.

// digest is a hash of a tile's bits; all NaNs are one.
func digest(x tl.Tile) string {
	h := sha256.New()
	fmt.Fprint(h, x.DType(), x.Shape())
	for _, b := range x.Bits() {
		if isNaN(x.DType(), b) {
			b = ^uint64(0)
		}
		h.Write(binary.LittleEndian.AppendUint64(nil, b))
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// patterns is a tile of random bit patterns and normal numbers of type d.
func patterns(seed int, d tl.DType) tl.Tile {
	const n = 4096
	raw := tensor.RandInt(seed, tl.Int64, -1<<62, 1<<62, n).Ints()
	bits := tensor.Randn(seed, tl.Float64, n).Floats()
	out := make([]uint64, 2*n)
	for i := range n {
		v := dtype.FromFloat(d, bits[i]*100)
		if d != tl.Bool {
			out[2*i] = uint64(raw[i]*5) & (1<<d.Bits() - 1)
		}
		out[2*i+1] = v
	}
	return bitsTile(d, out...)
}

// recorded is the results by name, each computed when asked for.
func recorded() map[string]func() tl.Tile {
	all := map[string]func() tl.Tile{}
	for o := op.None + 1; o < op.NumOps; o++ {
		if o.Row().Family == op.Elementwise {
			elementwiseBits(all, o)
		}
	}
	for _, d := range dtype.All() {
		x := func() tl.Tile { return patterns(3, d) }
		for _, to := range dtype.All() {
			all[fmt.Sprintf("cast/%s/%s", d, to)] = func() tl.Tile { return x().To(to) }
		}
		all["sum/"+d.String()] = func() tl.Tile { return tl.Sum(x().Reshape(64, 128), tl.Axis(0)) }
		all["cumsum/"+d.String()] = func() tl.Tile { return tl.CumSum(x().Reshape(64, 128), tl.Axis(1), tl.Reverse) }
		all["cumprod/"+d.String()] = func() tl.Tile { return tl.CumProd(x().Reshape(64, 128), tl.Axis(1)) }
		all["argmax/"+d.String()] = func() tl.Tile { return tl.ArgMax(x().Reshape(64, 128), tl.Axis(1)) }
		all["sort/"+d.String()] = func() tl.Tile { return tl.Sort(x().Reshape(64, 128)) }
		all["dot/"+d.String()] = func() tl.Tile {
			a, b := x().Reshape(64, 128), patterns(4, d).Reshape(128, 64)
			return tl.Dot(a, b)
		}
		if d.IsFloat() {
			all["dot of numbers/"+d.String()] = func() tl.Tile {
				a, b := tileOf(tensor.Randn(1, d, 30, 200)), tileOf(tensor.Randn(2, d, 200, 20))
				return tl.Full(d.Compute(), 1, 30, 20).Add(tl.Dot(a, b))
			}
			all["softmax/"+d.String()] = func() tl.Tile { return tl.Softmax(tileOf(tensor.Randn(1, d, 30, 200)), 1) }
		}
	}
	all["rand"] = func() tl.Tile { return tl.Rand(42, tl.Arange(0, 5000)) }
	all["randn"] = func() tl.Tile { return tl.Randn(42, tl.Arange(0, 5000)) }
	return all
}

// elementwiseBits adds an elementwise op on every dtype that it takes.
func elementwiseBits(all map[string]func() tl.Tile, o op.Op) {
	row := o.Row()
	for _, d := range dtype.All() {
		if !row.In.Has(d) || row.Arity == 4 { // random numbers are functions of seed and offset
			continue
		}
		all[fmt.Sprintf("%s/%s", row.Name, d)] = func() tl.Tile {
			in := make([]dtype.Buf, row.Arity)
			for i := range in {
				in[i] = tileBuf(patterns(i, d))
				if o == op.Where && i == 0 {
					in[i] = tileBuf(patterns(i, d).To(tl.Bool))
				}
			}
			z := dtype.NewBuf(o.Result(d), in[0].Len())
			op.Apply(o, d, z, in...)
			return tl.TileOf(z, z.Len())
		}
	}
}

func tileBuf(x tl.Tile) dtype.Buf {
	bits := x.Bits()
	b := dtype.NewBuf(x.DType(), len(bits))
	for i, v := range bits {
		b.SetBits(i, v)
	}
	return b
}

func TestBits(t *testing.T) {
	const file = "testdata/bits.txt"
	all := recorded()
	if os.Getenv("UPDATE") != "" {
		var b strings.Builder
		for _, name := range sortedNames(all) {
			fmt.Fprintf(&b, "%s %s\n", digest(all[name]()), name)
		}
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		want, name, _ := strings.Cut(lines.Text(), " ")
		compute, ok := all[name]
		if !ok {
			t.Errorf("%s is recorded and not computed: UPDATE=1 go test ./tilelang", name)
			continue
		}
		delete(all, name)
		if got := digest(compute()); got != want {
			t.Errorf("%s: bits %s, recorded %s; if its meaning is to change: UPDATE=1 go test ./tilelang", name, got, want)
		}
	}
	for _, name := range sortedNames(all) {
		t.Errorf("%s is not recorded: UPDATE=1 go test ./tilelang", name)
	}
}

func sortedNames(all map[string]func() tl.Tile) (names []string) {
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
