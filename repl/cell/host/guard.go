package host

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"

	"github.com/tiler-go/tiler/repl/cell/builtin"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Memory that runs out ends the process, and with it the session. So what is
// allocated at once is compared with what the machine has left, and a watch ends a
// cell whose memory grows too far bit by bit.

// Memory is what the machine has left for a program.
type Memory struct {
	Free func() int64 // how many bytes may still be allocated
}

// Size is n, the length or capacity that make is called with.
func (m *Memory) Size(n int64, elem int64) int {
	if n < 0 {
		panic(builtin.RuntimeError("makeslice: len out of range"))
	}
	m.room(n, elem)
	return int(n)
}

// room panics if n elements of some size are more than the machine has left.
func (m *Memory) room(n, elem int64) {
	if n <= 0 || elem <= 0 {
		return
	}
	hi, lo := bits.Mul64(uint64(n), uint64(elem))
	if hi == 0 && lo < 64<<20 {
		return
	}
	if free := m.Free(); hi > 0 || lo > uint64(free) {
		builtin.Panic(fmt.Errorf("%s is more than this machine has left (%s)", amount(hi, lo), amount(0, uint64(free))))
	}
}

func amount(hi, lo uint64) string {
	if hi > 0 {
		return "over 16 EiB"
	}
	const units = "KMGTPE"
	x := float64(lo)
	u := -1
	for x >= 1024 && u < len(units)-1 {
		x /= 1024
		u++
	}
	if u < 0 {
		return fmt.Sprintf("%d bytes", lo)
	}
	return fmt.Sprintf("%s %ciB", strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64), units[u])
}

// tensorOverrides checks what makes tensors.
func (m *Memory) tensorOverrides() map[string]any {
	check := func(d tl.DType, shape []int) {
		n := int64(1)
		for _, s := range shape {
			if s <= 0 {
				return // refused, or empty
			}
			if int64(s) > math.MaxInt64/n {
				n = math.MaxInt64
				break
			}
			n *= int64(s)
		}
		if d.Valid() {
			m.room(n, int64(d.Size()))
		}
	}
	return map[string]any{
		"Zeros": func(d tl.DType, shape ...int) *tensor.Tensor { check(d, shape); return tensor.Zeros(d, shape...) },
		"Ones":  func(d tl.DType, shape ...int) *tensor.Tensor { check(d, shape); return tensor.Ones(d, shape...) },
		"Empty": func(d tl.DType, shape ...int) *tensor.Tensor { check(d, shape); return tensor.Empty(d, shape...) },
		"Full": func(d tl.DType, v any, shape ...int) *tensor.Tensor {
			check(d, shape)
			return tensor.Full(d, v, shape...)
		},
		"Rand": func(seed int, d tl.DType, shape ...int) *tensor.Tensor {
			check(d, shape)
			return tensor.Rand(seed, d, shape...)
		},
		"Randn": func(seed int, d tl.DType, shape ...int) *tensor.Tensor {
			check(d, shape)
			return tensor.Randn(seed, d, shape...)
		},
		"RandInt": func(seed int, d tl.DType, lo, hi int, shape ...int) *tensor.Tensor {
			check(d, shape)
			return tensor.RandInt(seed, d, lo, hi, shape...)
		},
		"Generate": func(seed int, d tl.DType, shape ...int) *tensor.Tensor {
			check(d, shape)
			return tensor.Generate(seed, d, shape...)
		},
		"Arange": func(d tl.DType, lo, hi int) *tensor.Tensor {
			check(d, []int{max(hi-lo, 0)})
			return tensor.Arange(d, lo, hi)
		},
	}
}

// freeMemory is how many bytes may still be allocated: what the machine, and the
// group of processes that this one is in, have left, less a reserve.
func freeMemory() int64 {
	free := int64(8 << 30)
	if kb, ok := memInfo("MemAvailable:"); ok {
		free = kb << 10
	}
	if limit, ok := readNumber("/sys/fs/cgroup/memory.max"); ok {
		if used, ok := readNumber("/sys/fs/cgroup/memory.current"); ok {
			free = min(free, limit-used)
		}
	}
	return max(free-free/8, 0)
}

func memInfo(key string) (int64, bool) {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if fields := strings.Fields(sc.Text()); len(fields) > 1 && fields[0] == key {
			n, err := strconv.ParseInt(fields[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

func readNumber(path string) (int64, bool) {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
	return n, err == nil
}

func init() {
	if math.MaxInt > math.MaxInt32 {
		debug.SetMaxStack(hardStack) // the watch may be late on a busy machine
	}
}

// errMemory ends a cell that allocates too much.
var errMemory = errors.New("the cell was stopped because it had used nearly all of the machine's memory")

// maxStack is how far stacks may grow, in bytes, before a run is taken for one that
// recurses without end; the process ends at hardStack.
const (
	maxStack  = 200 << 20
	hardStack = 4 << 30
)

// watch ends the run when the heap has grown by half of what was free at its start:
// a slice that is appended to needs the old and the new memory at once; and when its
// stacks have grown too far.
func (h *Host) watch(r *run) {
	go func() {
		limit, stacks := int64(-1), uint64(0)
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
		tick := time.NewTicker(25 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-r.ended:
				return
			case <-tick.C:
			}
			metrics.Read(sample)
			used := int64(sample[0].Value.Uint64())
			if limit < 0 {
				limit, stacks = used+h.Memory.Free()/2, sample[1].Value.Uint64()
			}
			if sample[1].Value.Uint64() > stacks+maxStack {
				r.halt(whileRunning(errDeep))
				return
			}
			if used > limit {
				r.halt(whileRunning(errMemory))
				return
			}
		}
	}()
}
