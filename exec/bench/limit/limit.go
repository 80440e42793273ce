// Package limit measures what a machine does at most: multiply-adds in registers and tiles, and passes over memory, in
// machine code that does nothing else.
package limit

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tiler-go/tiler/exec/bench/real"
	"github.com/tiler-go/tiler/exec/codemem"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// ErrNone is why a platform's limits are not measured.
var ErrNone = errors.New("this machine's limits are measured with machine code, which is not available here")

// A Limit measures what the machine does at most: each thread calls the code with
// arguments of its own.
type Limit struct {
	entry  codemem.Entry
	frames []dtype.Buf // per thread, one for each call of a pass
	keep   []dtype.Buf // memory that frames point to
	calls  int         // that make a pass
	Work   float64     // of a pass, by all threads
}

// MultiplyAdd is the limit of multiply-adds of an element type.
func MultiplyAdd(kind string, tier cpu.Tier, threads int) (*Limit, error) {
	m, ok := MultiplyAdds[kind]
	v, err := check(tier)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, fmt.Errorf("no multiply-add of %s", kind)
	case !tier.Features().Has(m.needs) || m.Wide && tier != cpu.AVX512 || m.tiles != dtype.Invalid && !cpu.Tiles(m.needs):
		return nil, fmt.Errorf("no multiply-add of %s in %s here", kind, tier)
	}
	if m.tiles != dtype.Invalid {
		return inTiles(m, threads)
	}
	e, err := fmaCode(m, v)
	if err != nil {
		return nil, err
	}
	l := &Limit{entry: e, calls: 1, Work: float64(threads) * fmaWork(m, v)}
	for range threads {
		l.frames = append(l.frames, dtype.NewBuf(dtype.Uint64, 8))
	}
	return l, nil
}

// inTiles is the limit of products of tiles. They are of elements as those of matrices
// are: with zeros the processor needs less power, and runs faster.
func inTiles(m Operation, threads int) (*Limit, error) {
	e, err := tileCode(m.op)
	if err != nil {
		return nil, err
	}
	l := &Limit{entry: e, calls: 1, Work: float64(threads) * fmaSteps * tileFrame * m.perByte}
	for t := range threads {
		frame := dtype.NewBuf(m.tiles, tileFrame/m.tiles.Size())
		for i, v := range real.Coarse(frame.Len(), uint32(t)) {
			if m.tiles == dtype.Int8 {
				v *= 256
			}
			frame.SetBits(i, dtype.FromFloat(m.tiles, float64(v)))
		}
		l.frames = append(l.frames, frame)
	}
	return l, nil
}

// Fastest is the kind of multiply-add that does what another does and is faster, where the
// machine has it.
func Fastest(kind string, tier cpu.Tier) string {
	if kind == "int8" && tier == cpu.AVX512 && cpu.Tiles(cpu.HasAMXINT8) {
		return "int8 in tiles"
	}
	return kind
}

// Possible is nil if the limits of a tier can be measured here.
func Possible(tier cpu.Tier) error {
	_, err := check(tier)
	return err
}

// check is the registers of a tier that this machine has.
func check(tier cpu.Tier) (v vectors, err error) {
	if !codemem.Supported || tier < cpu.AVX2 {
		return v, ErrNone
	}
	if _, err := tier.Resolve(); err != nil {
		return v, err
	}
	return vectorsOf(tier), nil
}

// chunk is how many elements of a pass one call does at most.
const chunk = 1 << 14

// Stream is the limit of passes over n elements, cut in equal parts for the
// threads.
func Stream(kind string, n int, tier cpu.Tier, threads int) (*Limit, error) {
	s, ok := Streams[kind]
	v, err := check(tier)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("no pass over memory called %s", kind)
	}
	step := streamUnroll * v.bytes / 4
	each := max(n/threads/step, 1) * step
	e, err := streamCode(s, v)
	if err != nil {
		return nil, err
	}
	l := &Limit{entry: e, calls: (each + chunk - 1) / chunk, Work: float64(threads*each) * s.bytes}
	var arrays [3]dtype.Buf
	for i := range arrays {
		arrays[i] = dtype.NewBuf(dtype.Float32, threads*each)
		arrays[i].Fill(0x3f800000) // so that every page is there
	}
	l.keep = arrays[:]
	for t := range threads {
		frame := dtype.NewBuf(dtype.Uint64, 8*l.calls)
		for c := range l.calls {
			first := t*each + c*chunk
			for i, b := range arrays {
				frame.SetBits(8*c+i, uint64(uintptr(b.Pointer()))+uint64(4*first))
			}
			frame.SetBits(8*c+3, uint64(min(chunk, each-c*chunk)))
		}
		l.frames = append(l.frames, frame)
	}
	return l, nil
}

// Run makes n passes, and says how many seconds they took.
func (l *Limit) Run(n int) (float64, error) {
	var wg sync.WaitGroup
	start := time.Now()
	for _, f := range l.frames[1:] {
		wg.Go(func() { l.passes(f, n) })
	}
	l.passes(l.frames[0], n)
	wg.Wait()
	return time.Since(start).Seconds(), nil
}

// passes makes n passes of one thread.
func (l *Limit) passes(frame dtype.Buf, n int) {
	calls := make([]dtype.Buf, l.calls)
	for c := range calls {
		calls[c] = frame.Slice(8*c, 8*c+8)
	}
	for range n {
		for _, c := range calls {
			l.entry.Call(c.Pointer())
		}
	}
}

// Close frees the code.
func (l *Limit) Close() { l.entry.Release() }
