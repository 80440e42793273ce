package codemem

import (
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// long says whether the environment asks for the long suites. It must be asked inside a test: what
// happens before does not enter the key of the test cache.
func long() bool { return os.Getenv("TILER_LONG") != "" }

// load reads a program from testdata: bytes, then its text behind #.
func load(t testing.TB, name string) []byte {
	t.Helper()
	if !Supported {
		t.Skip(errNotSupported)
	}
	text, err := os.ReadFile("testdata/" + name + ".hex")
	if err != nil {
		t.Fatal(err)
	}
	var code []byte
	for l := range strings.Lines(string(text)) {
		digits, _, _ := strings.Cut(l, "#")
		b, err := hex.DecodeString(strings.TrimSpace(digits))
		if err != nil {
			t.Fatal(err)
		}
		code = append(code, b...)
	}
	return code
}

func sealed(t testing.TB, name string) *Code {
	t.Helper()
	c, err := Write(load(t, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Seal(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Free)
	return c
}

func TestUnsupported(t *testing.T) {
	if Supported {
		t.Skip("this platform is supported")
	}
	if _, err := Write([]byte{1}); err == nil || !strings.Contains(err.Error(), "no executable memory on ") {
		t.Errorf("got %v", err)
	}
}

func TestCall(t *testing.T) {
	c := sealed(t, "two")
	var out int64
	c.Call(unsafe.Pointer(&out))
	if out != 1 {
		t.Errorf("Call: got %d, want 1", out)
	}
	e, err := c.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	defer e.Release()
	for i, off := range []int{0, 16} {
		e.CallAt(off, unsafe.Pointer(&out))
		if out != int64(i+1) {
			t.Errorf("CallAt %d: got %d, want %d", off, out, i+1)
		}
	}
	for _, off := range []int{-1, c.Len()} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("CallAt %d: no panic", off)
				}
			}()
			e.CallAt(off, nil)
		}()
	}
}

func TestLifecycle(t *testing.T) {
	c, err := Alloc(len(load(t, "ret")))
	if err != nil {
		t.Fatal(err)
	}
	copy(c.Bytes(), load(t, "ret"))
	if _, err := c.Acquire(); err != ErrNotSealed {
		t.Errorf("Acquire before Seal: got %v, want %v", err, ErrNotSealed)
	}
	if err := c.Seal(); err != nil {
		t.Fatal(err)
	}
	if c.Bytes() != nil {
		t.Error("Bytes after Seal: got a slice, want nil")
	}
	if err := c.Seal(); err != ErrSealed {
		t.Errorf("second Seal: got %v, want %v", err, ErrSealed)
	}
	c.Call(nil)
	e, err := c.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	c.Free()
	c.Free()
	if c.unmapped.Load() {
		t.Fatal("unmapped while held")
	}
	e.Call(nil)
	if _, err := c.Acquire(); err != ErrFreed {
		t.Errorf("Acquire after Free: got %v, want %v", err, ErrFreed)
	}
	if c.unmapped.Load() {
		t.Fatal("a failed Acquire unmapped")
	}
	e.Release()
	if !c.unmapped.Load() {
		t.Error("still mapped after the last Release")
	}
	if err := c.Seal(); err != ErrFreed {
		t.Errorf("Seal after Free: got %v, want %v", err, ErrFreed)
	}
	defer func() {
		if err, _ := recover().(error); !errors.Is(err, ErrFreed) {
			t.Errorf("Call after Free: got panic %v, want %v", err, ErrFreed)
		}
	}()
	c.Call(nil)
}

func TestFreeUnsealed(t *testing.T) {
	c, err := Write(load(t, "ret"))
	if err != nil {
		t.Fatal(err)
	}
	c.Free()
	if !c.unmapped.Load() || c.Bytes() != nil {
		t.Error("unsealed code survives Free")
	}
}

func TestAllocSize(t *testing.T) {
	load(t, "ret") // skips where there is no memory
	for _, n := range []int{0, -1} {
		if _, err := Alloc(n); err == nil {
			t.Errorf("Alloc(%d): no error", n)
		}
	}
}

// TestFreeRaces: whoever comes last unmaps, once.
func TestFreeRaces(t *testing.T) {
	code := load(t, "ret")
	for range 200 {
		c, err := Write(code)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Seal(); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Go(func() {
				for range 50 {
					if e, err := c.Acquire(); err == nil {
						e.Call(nil)
						e.Release()
					}
				}
				if g < 2 {
					c.Free()
				}
			})
		}
		wg.Wait()
		if !c.unmapped.Load() || c.users.Load() != closed {
			t.Fatalf("unmapped %v, users %#x", c.unmapped.Load(), c.users.Load())
		}
	}
}

// TestWriteXorExecute: the pages are never writable and executable at once, as the kernel sees it.
func TestWriteXorExecute(t *testing.T) {
	c, err := Write(load(t, "ret"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Free()
	check := func(want string) {
		t.Helper()
		maps, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			t.Skip("no /proc/self/maps")
		}
		for l := range strings.Lines(string(maps)) {
			f := strings.Fields(l)
			if strings.Contains(f[1], "wx") {
				t.Errorf("writable and executable: %s", l)
			}
			if lo, hi, ok := bounds(f[0]); ok && lo <= c.Addr() && c.Addr() < hi && f[1] != want {
				t.Errorf("code pages are %s, want %s", f[1], want)
			}
		}
	}
	check("rw-p")
	if err := c.Seal(); err != nil {
		t.Fatal(err)
	}
	check("r-xp")
}

// bounds reads "7f00-7f10" in hex.
func bounds(s string) (lo, hi uintptr, ok bool) {
	a, b, _ := strings.Cut(s, "-")
	x, err1 := hex.DecodeString(pad(a))
	y, err2 := hex.DecodeString(pad(b))
	for i := range 8 {
		if err1 != nil || err2 != nil {
			return 0, 0, false
		}
		lo, hi = lo<<8|uintptr(x[i]), hi<<8|uintptr(y[i])
	}
	return lo, hi, true
}

func pad(s string) string { return strings.Repeat("0", max(0, 16-len(s))) + s }

func TestGuard(t *testing.T) {
	if !memSupported {
		t.Skip(errNotSupported)
	}
	for _, n := range []int{1, 64, 4095, 4096, 4097, 100000} {
		g, err := NewGuard(n)
		if err != nil {
			t.Fatal(err)
		}
		for name, b := range map[string][]byte{"Head": g.Head(), "Tail": g.Tail()} {
			if len(b) != n || cap(b) != n {
				t.Errorf("%s of %d: len %d cap %d", name, n, len(b), cap(b))
			}
			b[0], b[n-1] = 1, 2
		}
		before := unsafe.Add(unsafe.Pointer(&g.Head()[0]), -1)
		behind := unsafe.Add(unsafe.Pointer(&g.Tail()[0]), n)
		for _, p := range []unsafe.Pointer{before, behind} {
			if faults := goFaults(p); !faults {
				t.Errorf("byte beside a buffer of %d can be read", n)
			}
		}
		if err := g.Free(); err != nil {
			t.Error(err)
		}
	}
	if _, err := NewGuard(0); err == nil {
		t.Error("NewGuard(0): no error")
	}
}
