package exec

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tiler-go/tiler/exec/codemem"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// shaped has an int that decides a shape: each value is code of its own.
func shaped(p *tl.Program, x, z tl.Ptr, n int) {
	o := tl.Arange(0, n)
	tl.Store(z.Add(o), tl.Load(x.Add(o)).Mul(2).Add(tl.Max(tl.Load(x.Add(o)))))
}

// unshaped cannot be compiled, which is remembered for each value, too.
func unshaped(p *tl.Program, x, z tl.Ptr, n int) {
	defer func() {}()
	shaped(p, x, z, n)
}

// used is the memory that is in use: Go's and that of code.
func used() (heap, code int64) {
	for range 3 { // what is freed at one collection's end frees more at the next
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc), codemem.Mapped()
}

// many is how many variants are kept, and how many values an int takes: a multiple of that.
func many() (kept, count int) {
	if os.Getenv("TILER_LONG") != "" {
		return 256, 2000
	}
	return 8, 24
}

func launchShaped(t testing.TB, k *Kernel, n int) {
	t.Helper()
	x, z := tensor.Arange(tl.Float32, 0, n), tensor.Zeros(tl.Float32, n)
	if err := k.Launch(Grid{1}, x, z, n); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if got, want := z.Float(i), float64(2*i+n-1); got != want {
			t.Fatalf("n = %d: element %d is %v, want %v", n, i, got, want)
		}
	}
}

// TestManyShapes: a process that meets ever new shapes does not grow. Those used last stay compiled.
func TestManyShapes(t *testing.T) {
	kept, count := many()
	few, size := kept+8, 3*count // what runs a larger shape has a larger frame
	for _, engine := range Engines()[1:] {
		k := alone(shaped, Options{Engine: engine})
		k.variants.Most = kept
		for n := 1; n <= few; n++ {
			launchShaped(t, k, size+n)
		}
		heap, code := used()
		for n := few + 1; n <= count; n++ {
			launchShaped(t, k, size+n)
			if n%10 == 0 {
				launchShaped(t, k, size+few) // stays
			}
		}
		heap2, code2 := used()
		t.Logf("%s: %d KiB and %d KiB of code after %d shapes, %d KiB and %d KiB after %d", engine, heap>>10, code>>10, few, heap2>>10, code2>>10, count)
		if heap2-heap > heap/2+(1<<20) || code2 > code+code/4+(64<<10) {
			t.Errorf("%s: memory has grown", engine)
		}
		s := k.State()
		if n := len(s.Specialisations); n > 3*kept || s.Freed < count/2 || !strings.Contains(s.String(), fmt.Sprintf("and %d that were not used for longest", s.Freed)) {
			t.Errorf("%d specialisations are kept, %d freed", n, s.Freed)
		}
		stays := func(z Specialisation) bool {
			return z.Engine == engine && strings.HasSuffix(z.Args, fmt.Sprint("n=", size+few))
		}
		if !slices.ContainsFunc(s.Specialisations, stays) {
			t.Errorf("what is used now and then is gone: %v", s)
		}
	}
}

// TestManyRefused is TestManyShapes of a kernel that is not compiled.
func TestManyRefused(t *testing.T) {
	k := alone(unshaped, Options{Engine: "portable"})
	kept, count := many()
	k.variants.Most = kept
	x := tensor.Zeros(tl.Float32, 4)
	for n := range count {
		if err := k.Launch(Grid{1}, x, x, n+1); err == nil {
			t.Fatal("it was compiled")
		}
	}
	if n := len(k.State().Specialisations); n > kept {
		t.Errorf("%d reasons are kept", n)
	}
}

// TestManyShapesTogether has code freed while others run it, and ask for it again.
func TestManyShapesTogether(t *testing.T) {
	k := New(shaped).With(Options{Engine: Engines()[len(Engines())-1]})
	kept, count := many()
	k.variants.Most = kept
	stop := make(chan struct{})
	var wg, gc sync.WaitGroup
	gc.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	for g := range 6 {
		wg.Go(func() {
			for i := range count / 2 {
				launchShaped(t, k, 1+(i*(7+2*g))%(2*kept))
			}
		})
	}
	wg.Wait()
	close(stop)
	gc.Wait()
}
