package exec

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// mapped is a file in memory, as a tensor of float32.
type mapped struct {
	*tensor.Tensor
	file *os.File
	size int64
}

func mapFile(t *testing.T, pages int, prot int) mapped {
	t.Helper()
	size := pages * os.Getpagesize()
	f, err := os.Create(filepath.Join(t.TempDir(), "data"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(int64(size)); err != nil {
		t.Fatal(err)
	}
	b, err := syscall.Mmap(int(f.Fd()), 0, size, prot, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Munmap(b)
		f.Close()
	})
	// The mapping is aligned to pages, and unmapped after the last use.
	return mapped{tensor.From(unsafe.Slice((*float32)(unsafe.Pointer(&b[0])), size/4)), f, int64(size)}
}

// resize makes the file a part of what it was.
func (m mapped) resize(t *testing.T, size int64) {
	t.Helper()
	if err := m.file.Truncate(size); err != nil {
		t.Fatal(err)
	}
}

func addOne(p *tl.Program, x, z tl.Ptr, n int, BLOCK tl.Const) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	a := tl.Load(x.Add(o), tl.Mask(o.Lt(n)))
	tl.Store(z.Add(o), a.Add(1), tl.Mask(o.Lt(n)))
}

func rowTotals(p *tl.Program, x, z tl.Ptr, cols int, BLOCK tl.Const) {
	o := tl.Arange(0, BLOCK)
	a := tl.Load(x.Add(p.ID(0)*cols).Add(o), tl.Mask(o.Lt(cols)))
	tl.Store(z.Add(p.ID(0)), tl.Sum(a))
}

func counted(p *tl.Program, x, z tl.Ptr, n int, BLOCK tl.Const) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	tl.AtomicAdd(z.Add(o.Mul(0)), tl.Load(x.Add(o), tl.Mask(o.Lt(n))))
}

func mappedProduct(p *tl.Program, x, y, z tl.Ptr, n int, B tl.Const) {
	r, c := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
	acc := tl.Zeros(tl.Float32, B, B)
	for i := 0; i < n; i += B {
		k := tl.Arange(0, B).Add(i)
		acc = acc.Add(tl.Dot(tl.Load(x.Add(r.Mul(n).Col().Add(k.Row()))), tl.Load(y.Add(k.Mul(n).Col().Add(c.Row())))))
	}
	tl.Store(z.Add(r.Mul(n).Col().Add(c.Row())), acc)
}

// vanishing are launches on memory that is not there from its second page on, or cannot be written to.
func vanishing(t *testing.T) map[string]struct {
	fn   any
	grid Grid
	args func(m *tensor.Tensor, n int) []any
	want string
} {
	return map[string]struct {
		fn   any
		grid Grid
		args func(m *tensor.Tensor, n int) []any
		want string
	}{
		"load": {addOne, Grid{16}, func(m *tensor.Tensor, n int) []any {
			return []any{m, tensor.Zeros(tl.Float32, n), n, n / 16}
		}, `tl\.Load: the memory of x is not there: x\[[1-4]\d\d\d\] cannot be accessed`},
		"store": {addOne, Grid{16}, func(m *tensor.Tensor, n int) []any {
			return []any{tensor.Zeros(tl.Float32, n), m, n, n / 16}
		}, `tl\.Store: the memory of z is not there: z\[[1-4]\d\d\d\] cannot be accessed`},
		"in place": {addOne, Grid{16}, func(m *tensor.Tensor, n int) []any { return []any{m, m, n, n / 16} },
			`tl\.Load: the memory of x is not there`},
		"rows": {rowTotals, Grid{4}, func(m *tensor.Tensor, n int) []any {
			return []any{m.Reshape(4, n/4), tensor.Zeros(tl.Float32, 4), n / 4, n / 4}
		}, `tl\.Load: the memory of x is not there: x\[[123] \d+\] cannot be accessed`},
		"atomic": {counted, Grid{16}, func(m *tensor.Tensor, n int) []any {
			return []any{m, tensor.Zeros(tl.Float32, 1), n, n / 16}
		}, `tl\.Load: the memory of x is not there`},
		"product": {mappedProduct, Grid{2, 2}, func(m *tensor.Tensor, n int) []any {
			return []any{m.Reshape(64, 64), m.Reshape(64, 64), tensor.Zeros(tl.Float32, 64, 64), 64, 32}
		}, `tl\.Load: the memory of x is not there: x\[\d+ \d+\] cannot be accessed`},
	}
}

// TestVanished: memory of a tensor that is not there is an error, in every engine, and nothing is held
// against the code that met it.
func TestVanished(t *testing.T) {
	for name, c := range vanishing(t) {
		for _, engine := range append(Engines(), "") {
			t.Run(fmt.Sprintf("%s/%s", name, engine), func(t *testing.T) {
				m := mapFile(t, 4, syscall.PROT_READ|syscall.PROT_WRITE)
				k := alone(c.fn, Options{Memory: "off", Engine: engine})
				args := c.args(m.Tensor, m.Len())
				if engine == "" {
					k = k.promoteUnchecked()
					if err := k.Launch(c.grid, args...); err != nil {
						t.Fatal(err)
					}
				}
				m.resize(t, m.size/4)
				err := k.Launch(c.grid, args...)
				if err == nil || !regexp.MustCompile(c.want).MatchString(err.Error()) {
					t.Errorf("got %v, want %s", err, c.want)
				}
				if err != nil && (!strings.Contains(err.Error(), "vanish_linux_test.go:") || !strings.Contains(err.Error(), ".Clone()")) {
					t.Errorf("got %v, want its line and what to do", err)
				}
				m.resize(t, m.size)
				if err := k.Launch(c.grid, args...); err != nil {
					t.Errorf("with the file back: %v", err)
				}
				if s := k.State(); engine != "" && engine != interpreted && s.Engine != engine || engine == "" && s.Engine == interpreted {
					t.Errorf("it ran in %s: %v", s.Engine, s)
				}
			})
		}
	}
}

// TestVanishedFirst: the same of a launch that would have been the first, of a check, a promotion and a tuning.
func TestVanishedFirst(t *testing.T) {
	for name, c := range vanishing(t) {
		m := mapFile(t, 4, syscall.PROT_READ|syscall.PROT_WRITE)
		k := alone(c.fn, Options{Memory: "off"})
		args := c.args(m.Tensor, m.Len())
		m.resize(t, m.size/4)
		_, checked := k.Check(c.grid, args...)
		_, promoted := k.Promote(c.grid, args...)
		for what, err := range map[string]error{
			"check": checked, "promote": promoted, "trial": k.promoteUnchecked().Launch(c.grid, args...),
		} {
			if err == nil || !strings.Contains(err.Error(), "is not there") {
				t.Errorf("%s, %s: got %v", name, what, err)
			}
		}
	}
	m := mapFile(t, 4, syscall.PROT_READ|syscall.PROT_WRITE)
	m.resize(t, 0)
	_, err := Auto(alone(addOne, Options{Memory: "off"}), []Config{{"BLOCK": 64}, {"BLOCK": 128}}).Tune(Grid{256}, m.Tensor, m.Tensor, m.Len())
	if err == nil || !strings.Contains(err.Error(), "addOne: the memory of x is not there: x[") {
		t.Errorf("tune: got %v", err)
	}
}

// TestReadOnly: a store to memory that is only to be read is an error.
func TestReadOnly(t *testing.T) {
	for _, engine := range Engines() {
		m := mapFile(t, 4, syscall.PROT_READ)
		k := alone(addOne, Options{Memory: "off", Engine: engine})
		err := k.Launch(Grid{16}, tensor.Zeros(tl.Float32, m.Len()), m.Tensor, m.Len(), m.Len()/16)
		if err == nil || !strings.Contains(err.Error(), "tl.Store: the memory of z is not there") {
			t.Errorf("%s: got %v", engine, err)
		}
	}
}
