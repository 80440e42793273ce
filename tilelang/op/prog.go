package op

import (
	"fmt"
	"sync"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Prog is the meaning of a math function: a straight line of primitive
// operations over lanes, in single assignment. Values are numbered: first the
// inputs, then one per instruction. It is data, so that every engine can carry it
// out in its own way: Run does it in chunks of lanes here, the machine-code engine
// puts the instructions into its vector loops.
type Prog struct {
	In   []dtype.DType // types of the inputs
	Body []Inst
	Out  int // the value that is the result

	once sync.Once
	plan plan
}

// An Inst is one instruction of a program.
type Inst struct {
	Op   Op          // a primitive; Cast and Bitcast included
	D    dtype.DType // type of its operands; for Lookup, of the index
	Type dtype.DType // type of its result
	Args [3]int      // value numbers, as many as Op's arity

	// Bits is the constant of a Const, in Type. For SkipUnless it is the number of
	// instructions after this one that may be skipped when Args[0] is false in every
	// lane at hand: a hint, because whoever uses their results discards those of
	// lanes where Args[0] is false.
	Bits uint64
	// Table holds the entries of a Lookup, as bits of Type; their number is a power
	// of two, and the index is taken modulo it.
	Table []uint64
}

// Type is the type of value v.
func (p *Prog) Type(v int) dtype.DType {
	if v < len(p.In) {
		return p.In[v]
	}
	return p.Body[v-len(p.In)].Type
}

// lanes is how many lanes Run takes at a time: few enough that all values of a
// program stay in the first-level cache.
const lanes = 64

// A plan says where values live while a program runs: in slots of lanes*8 bytes,
// reused after their last use. Constants keep their slots for good.
type plan struct {
	slot  []int // by value; -1 for an input
	slots int
	pool  sync.Pool // of *frame
}

type frame struct {
	mem  dtype.Buf
	regs []dtype.Buf // by value, lanes long; inputs unset
}

// Run computes z from the inputs x, y, w, v, of which the program has as many as it
// uses.
func (p *Prog) Run(z dtype.Buf, in ...dtype.Buf) {
	p.once.Do(p.allocate)
	f, _ := p.plan.pool.Get().(*frame)
	if f == nil {
		f = p.newFrame()
	}
	for lo := 0; lo < z.Len(); lo += lanes {
		hi := min(lo+lanes, z.Len())
		for i := range p.In {
			f.regs[i] = in[i].Slice(lo, hi)
		}
		p.runChunk(f, hi-lo)
		copy(z.Slice(lo, hi).Bytes(), f.regs[p.Out].Bytes())
	}
	clear(f.regs[:len(p.In)]) // do not keep the caller's memory alive
	p.plan.pool.Put(f)
}

func (p *Prog) runChunk(f *frame, n int) {
	cut := func(v int) dtype.Buf {
		if v < len(p.In) {
			return f.regs[v]
		}
		return f.regs[v].Slice(0, n)
	}
	for i := 0; i < len(p.Body); i++ {
		in := &p.Body[i]
		switch in.Op {
		case Const:
		case SkipUnless:
			if !anyTrue(cut(in.Args[0])) {
				i += int(in.Bits)
			}
		case Lookup:
			lookup(cut(len(p.In)+i), cut(in.Args[0]), in.Table)
		default:
			var a [3]dtype.Buf
			for k := range in.Op.Row().Arity {
				a[k] = cut(in.Args[k])
			}
			in.loop()(cut(len(p.In)+i), a[0], a[1], a[2])
		}
	}
}

// loop is the loop that carries out a primitive instruction.
func (in *Inst) loop() Loop {
	switch in.Op {
	case Cast:
		return casts[in.Type][in.D]
	case Bitcast:
		return copyBytes
	}
	return Table[in.Op].Loops[in.D]
}

func copyBytes(z, x, _, _ dtype.Buf) { copy(z.Bytes(), x.Bytes()) }

func anyTrue(b dtype.Buf) bool {
	for _, v := range dtype.View[uint8](b) {
		if v != 0 {
			return true
		}
	}
	return false
}

func lookup(z, index dtype.Buf, table []uint64) {
	for i := range z.Len() {
		z.SetBits(i, table[index.Bits(i)&uint64(len(table)-1)])
	}
}

// allocate gives every value a slot. Operands die at their last use, and a result
// may take the slot of an operand that dies with it: loops work in place, except
// that a type change to a wider type must not overwrite lanes it has yet to read.
func (p *Prog) allocate() {
	n := len(p.In) + len(p.Body)
	last := make([]int, n)
	for i := range last {
		last[i] = -1
	}
	for i := range p.Body {
		for k := range p.Body[i].Op.Row().Arity {
			last[p.Body[i].Args[k]] = i
		}
	}
	last[p.Out] = len(p.Body)
	p.plan.slot = make([]int, n)
	var free []int
	for i := range p.Body {
		in, v := &p.Body[i], len(p.In)+i
		inPlace := in.Op != Cast && in.Op != Lookup && !in.Op.IsCompare() && in.Op != Where
		if inPlace {
			free = p.release(free, in, i, last)
		}
		if in.Op == Const || len(free) == 0 {
			p.plan.slot[v] = p.plan.slots
			p.plan.slots++
		} else {
			p.plan.slot[v] = free[len(free)-1]
			free = free[:len(free)-1]
		}
		if !inPlace {
			free = p.release(free, in, i, last)
		}
	}
}

// release frees the slots of in's operands that die at instruction i.
func (p *Prog) release(free []int, in *Inst, i int, last []int) []int {
	args := in.Args[:in.Op.Row().Arity]
	for k, a := range args {
		seen := false
		for _, b := range args[:k] {
			seen = seen || a == b
		}
		if !seen && a >= len(p.In) && last[a] == i && p.Body[a-len(p.In)].Op != Const {
			free = append(free, p.plan.slot[a])
		}
	}
	return free
}

func (p *Prog) newFrame() *frame {
	f := &frame{
		mem:  dtype.NewBuf(dtype.Uint64, p.plan.slots*lanes),
		regs: make([]dtype.Buf, len(p.In)+len(p.Body)),
	}
	for i := range p.Body {
		in, v := &p.Body[i], len(p.In)+i
		if in.Op == SkipUnless {
			continue
		}
		s := p.plan.slot[v] * lanes
		f.regs[v] = dtype.RawBuf(in.Type, f.mem.Slice(s, s+lanes).Pointer(), lanes)
		if in.Op == Const {
			f.regs[v].Fill(in.Bits)
		}
	}
	return f
}

// Verify reports the first broken rule of a program: operands defined before use,
// of the right types, only primitives.
func (p *Prog) Verify() error {
	for i := range p.Body {
		if err := p.verifyInst(i); err != nil {
			return fmt.Errorf("instruction %d (%s): %w", i, p.Body[i].Op, err)
		}
	}
	if p.Out < 0 || p.Out >= len(p.In)+len(p.Body) {
		return fmt.Errorf("result %d does not exist", p.Out)
	}
	return nil
}

func (p *Prog) verifyInst(i int) error {
	in := &p.Body[i]
	row := in.Op.Row()
	for k := range row.Arity {
		a := in.Args[k]
		if a < 0 || a >= len(p.In)+i {
			return fmt.Errorf("operand %d is not yet defined", a)
		}
		want := in.D
		if in.Op == SkipUnless || in.Op == Where && k == 0 {
			want = dtype.Bool
		}
		if p.Type(a) != want {
			return fmt.Errorf("operand %d is %s, want %s", k, p.Type(a), want)
		}
	}
	switch in.Op {
	case Const:
		return nil
	case SkipUnless:
		if int(in.Bits) > len(p.Body)-i-1 {
			return fmt.Errorf("skips past the end")
		}
		return nil
	case Lookup:
		if n := len(in.Table); n == 0 || n&(n-1) != 0 || !in.D.IsInt() {
			return fmt.Errorf("table of %d entries indexed by %s", n, in.D)
		}
		return nil
	case Bitcast:
		if in.D.Size() != in.Type.Size() {
			return fmt.Errorf("%s to %s", in.D, in.Type)
		}
		return nil
	case Cast:
		return nil
	}
	if row.Loops[in.D] == nil {
		return fmt.Errorf("no primitive loop for %s", in.D)
	}
	if want := in.Op.Result(in.D); want != in.Type {
		return fmt.Errorf("result is %s, want %s", in.Type, want)
	}
	return nil
}
