package dtype

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"unsafe"
)

// fencedTest sets a mode for a test.
func fencedTest(t *testing.T, mode Fence) {
	t.Helper()
	before := Fenced()
	if err := SetFence(mode); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { SetFence(before) })
}

// breach runs f and gives the breach that it ends with.
func breach(f func()) (b *Breach) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { b = BreachOf(recover()) }()
	f()
	return nil
}

var sink byte

// TestFence touches the first byte outside of buffers of many sizes, and all bytes within.
func TestFence(t *testing.T) {
	for _, mode := range []Fence{FenceEnd, FenceBegin} {
		fencedTest(t, mode)
		for _, n := range []int{1, 3, 63, 64, 1000, 4095, 4096, 4097, 8192, 12287, 30000, 100_001, 1 << 20} {
			b := Alloc("packed b", Uint8, n)
			b.Fill(7)
			outside, at := unsafe.Add(b.Pointer(), n), 0
			if mode == FenceBegin {
				outside, at = unsafe.Add(b.Pointer(), -1), -1
			}
			for _, touch := range []func(){func() { sink = *(*byte)(outside) }, func() { *(*byte)(outside) = 1 }} {
				got := breach(touch)
				if got == nil || got.What != "packed b" || got.Bytes != n || got.Beyond != at {
					t.Fatalf("mode %d, %d bytes: got %+v", mode, n, got)
				}
			}
			runtime.KeepAlive(b.Pointer())
		}
	}
}

// TestFenceNames: what a breach says.
func TestFenceNames(t *testing.T) {
	for _, c := range []struct {
		b    Breach
		want string
	}{
		{Breach{What: "sums", Bytes: 64, Beyond: 0}, "byte 0 behind the end of sums, 64 bytes"},
		{Breach{What: "sums", Bytes: 64, Beyond: -1}, "byte 0 before the beginning of sums, 64 bytes"},
	} {
		if got := c.b.Error(); !strings.Contains(got, c.want) {
			t.Errorf("got %q, want %q in it", got, c.want)
		}
	}
	if FenceAt(uintptr(unsafe.Pointer(&sink))) != nil || BreachOf("text") != nil || BreachOf(nil) != nil {
		t.Error("a breach without a fence")
	}
}

// TestFencesEnd: fences of buffers that nobody uses are taken away, however many there were, and
// the memory can be used for anything.
func TestFencesEnd(t *testing.T) {
	fencedTest(t, FenceEnd)
	kept := Alloc("kept", Float32, 100)
	for i := range 40_000 {
		b := Alloc("dropped", Float64, 1+i%2000)
		b.Fill(^uint64(0))
		if i%1000 == 0 {
			plain := make([]byte, 1<<20) // where fences may have been
			clear(plain)
		}
	}
	if count, _ := FencedBuffers(); count["dropped"] > 30_000 {
		t.Errorf("%d fences of buffers that are gone", count["dropped"])
	}
	kept.Fill(1)
	if got := breach(func() { sink = *(*byte)(unsafe.Add(kept.Pointer(), 400)) }); got == nil || got.What != "kept" {
		t.Errorf("got %+v for a buffer in use", got)
	}
	runtime.KeepAlive(kept.Pointer())
}

// TestManyFences: buffers that nobody uses make room for others before the system has no
// mapping left, of which the runtime needs some itself to collect them.
func TestManyFences(t *testing.T) {
	fencedTest(t, FenceEnd)
	most := 0
	for i := range 30_000 {
		Alloc("one of many", Int8, 1)
		if i%1000 == 0 {
			count, _ := FencedBuffers()
			most = max(most, count["one of many"])
		}
	}
	if most > fewFences+fewFences/4 {
		t.Errorf("there were %d fences at once, and nobody used them", most)
	}
}
