package codemem

import (
	"errors"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// faultArgs is what the programs load and store take.
type faultArgs struct {
	addr  uintptr
	mxcsr uint32
}

const plainMXCSR, towardZero = 0x1f80, 0x7f80

func needFaults(t testing.TB) {
	t.Helper()
	if !RecoversFaults {
		t.Skip("faults are not recovered here")
	}
	if !cpu.X86.HasAVX2 {
		t.Skip("programs need AVX2")
	}
}

// goFaults reports whether Go code that reads p faults.
func goFaults(p unsafe.Pointer) (faults bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { faults = recover() != nil }()
	sink = *(*byte)(p)
	return false
}

var sink byte

func TestFault(t *testing.T) {
	needFaults(t)
	g, err := NewGuard(64)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Free()
	behind := uintptr(unsafe.Pointer(&g.Tail()[0])) + 64
	ok := uintptr(unsafe.Pointer(&g.Tail()[0]))
	for _, c := range []struct {
		program string
		addr    uintptr
		want    *Fault
	}{
		{"load", ok, nil},
		{"load", behind, &Fault{BadAddress, behind}},
		{"load", behind - 4, &Fault{BadAddress, behind}}, // the access crosses into the guard page
		{"store", behind + 8, &Fault{BadAddress, behind + 8}},
		{"load", 0, &Fault{NilAddress, 0}},
		{"store", 4095, &Fault{NilAddress, 0}},
		{"store", 1 << 63, &Fault{BadAddress, 0}}, // not canonical
		{"divide", 0, &Fault{BadDivision, 0}},
	} {
		code := sealed(t, c.program)
		args := faultArgs{c.addr, plainMXCSR}
		err := Protect(func() { code.Call(unsafe.Pointer(&args)) })
		var f *Fault
		if errors.As(err, &f) != (c.want != nil) || f != nil && *f != *c.want {
			t.Errorf("%s at %#x: got %v, want %v", c.program, c.addr, err, c.want)
		}
		if code.users.Load() != 0 {
			t.Errorf("%s at %#x: %d users left", c.program, c.addr, code.users.Load())
		}
	}
}

func TestFaultText(t *testing.T) {
	for f, want := range map[*Fault]string{
		{BadAddress, 0x1000}: "memory fault at address 0x1000",
		{BadAddress, 0}:      "memory fault at an address the processor refuses",
		{NilAddress, 0}:      "memory fault near address 0",
		{BadDivision, 0}:     "integer division fault",
	} {
		if got := f.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestUnsealedCannotRun: before Seal the pages are not executable.
func TestUnsealedCannotRun(t *testing.T) {
	needFaults(t)
	c, err := Write(load(t, "ret"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Free()
	var f *Fault
	if err := Protect(func() { call(c.Addr(), nil) }); !errors.As(err, &f) || f.Addr != c.Addr() {
		t.Errorf("got %v, want a fault at %#x", err, c.Addr())
	}
}

// TestFaultRestoresState: a fault between a change of MXCSR and its undoing leaves Go's arithmetic alone.
func TestFaultRestoresState(t *testing.T) {
	needFaults(t)
	want := tenth(1) // rounds up
	code := sealed(t, "load")
	args := faultArgs{1 << 63, towardZero}
	if err := Protect(func() { code.Call(unsafe.Pointer(&args)) }); err == nil {
		t.Fatal("no fault")
	}
	if got := tenth(1); got != want {
		t.Errorf("1/10 after a fault: got %x, want %x", got, want)
	}
}

//go:noinline
func tenth(x float64) float64 { return x / 10 }

// TestProtectPasses: what is not a fault of generated code goes through as it was, and the setting of
// SetPanicOnFault comes back.
func TestProtectPasses(t *testing.T) {
	needFaults(t)
	code := sealed(t, "load")
	for name, c := range map[string]struct {
		f    func()
		want string
	}{
		"error":     {func() { panic(io.EOF) }, "EOF"},
		"nil panic": {func() { panic(errors.ErrUnsupported) }, "unsupported"},
		"go nil":    {func() { sink = *(*byte)(nilPointer) }, "nil pointer dereference"},
		"go index":  {func() { sink = make([]byte, 1)[len(name(code))] }, "index out of range"},
		"go divide": {func() { sink = 1 / byte(len(name(nil))) }, "divide by zero"},
		"go error after a fault": {func() {
			args := faultArgs{8, plainMXCSR}
			if err := Protect(func() { code.Call(unsafe.Pointer(&args)) }); err == nil {
				t.Error("no fault")
			}
			panic(io.ErrShortWrite)
		}, "short write"},
	} {
		func() {
			defer func() {
				err, _ := recover().(error)
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: got panic %v, want %s", name, err, c.want)
				}
			}()
			t.Errorf("%s: got return %v, want panic", name, Protect(c.f))
		}()
		if debug.SetPanicOnFault(false) {
			t.Errorf("%s: SetPanicOnFault is left on", name)
		}
	}
	if err := Protect(func() {}); err != nil {
		t.Errorf("got %v, want nil", err)
	}
}

var nilPointer unsafe.Pointer

//go:noinline
func name(c *Code) string {
	if c == nil {
		return ""
	}
	return "code"
}

// TestFaultsRepeat: many faults on many goroutines, while the collector runs and stacks grow and shrink.
func TestFaultsRepeat(t *testing.T) {
	needFaults(t)
	rounds := 200
	if long() {
		rounds = 5000
	}
	load, store := sealed(t, "load"), sealed(t, "store")
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range rounds {
				code := []*Code{load, store}[i&1]
				args := faultArgs{1<<63 + uintptr(i), plainMXCSR}
				depth := (i + g) % 50 * 20
				if err := faultAtDepth(code, &args, depth); err == nil {
					t.Error("no fault")
					return
				}
				if i%64 == 0 {
					runtime.GC()
				}
			}
		})
	}
	wg.Wait()
	if load.users.Load() != 0 || store.users.Load() != 0 {
		t.Errorf("users left: %d, %d", load.users.Load(), store.users.Load())
	}
}

//go:noinline
func faultAtDepth(c *Code, args *faultArgs, depth int) error {
	var room [128]byte
	room[depth&127] = byte(depth)
	if depth > 0 {
		err := faultAtDepth(c, args, depth-1)
		if room[depth&127] != byte(depth) {
			return nil
		}
		return err
	}
	return Protect(func() { c.Call(unsafe.Pointer(args)) })
}
