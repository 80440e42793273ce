package op

import (
	"math"
	"sync"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op/primitive"
)

// lanes is how many lanes Run takes at a time: few enough that all values of a
// program stay in the first-level cache.
const lanes = 128

// A plan is a program made ready for Run. Values live in slots of lanes*8 bytes,
// reused after their last use; constants keep theirs for good. Two kinds of
// instruction cost nothing: a bitcast is another view of its operand, and the fused
// steps of a polynomial are carried out as one.
type plan struct {
	steps []action
	root  []int // by value: the value whose memory it shares, often itself
	views []int // the inputs, and the values that share their memory
	slot  []int // by root; -1 for inputs and what has no memory
	slots int
	pool  sync.Pool // of *frame
}

// An action is an instruction, or several, to be carried out.
type action struct {
	loop Loop   // nil for a skip
	z    int    // the value computed
	args [3]int // the program's number of values stands for no operand
	skip int    // steps to skip unless args[0] holds somewhere
	at   int    // the last instruction of the step
}

type frame struct {
	mem  dtype.Buf
	full []dtype.Buf // by value, lanes long; inputs and their views are set as Run goes
	part []dtype.Buf // the same, cut to the length of a last chunk
}

// Run computes z from the inputs, of which the program has as many as it uses. z may
// be one of them.
func (p *Prog) Run(z dtype.Buf, in ...dtype.Buf) {
	p.once.Do(p.prepare)
	f, _ := p.plan.pool.Get().(*frame)
	if f == nil {
		f = p.newFrame()
	}
	n := z.Len()
	for lo := 0; lo < n; lo += lanes {
		hi, regs := lo+lanes, f.full
		if hi > n {
			hi, regs = n, f.cut(n-lo)
		}
		p.setInputs(regs, in, lo, hi)
		p.plan.run(regs)
		copy(z.Slice(lo, hi).Bytes(), regs[p.Out].Bytes())
	}
	clear(f.part) // do not keep the caller's memory alive
	for _, v := range p.plan.views {
		f.full[v] = dtype.Buf{}
	}
	p.plan.pool.Put(f)
}

// setInputs points the inputs and their views to lanes lo to hi.
func (p *Prog) setInputs(regs, in []dtype.Buf, lo, hi int) {
	for _, v := range p.plan.views {
		r := p.plan.root[v]
		regs[v] = in[r].Slice(lo, hi)
		if v != r {
			regs[v] = regs[v].As(p.Type(v))
		}
	}
}

// cut makes the registers n long.
func (f *frame) cut(n int) []dtype.Buf {
	for v, r := range f.full {
		if r.Len() == lanes {
			f.part[v] = r.Slice(0, n)
		}
	}
	return f.part
}

func (p *plan) run(regs []dtype.Buf) {
	for i := 0; i < len(p.steps); i++ {
		s := &p.steps[i]
		if s.loop != nil {
			s.loop(regs[s.z], regs[s.args[0]], regs[s.args[1]], regs[s.args[2]])
		} else if !anyTrue(regs[s.args[0]]) {
			i += s.skip
		}
	}
}

func anyTrue(b dtype.Buf) bool {
	for _, v := range dtype.View[uint8](b) {
		if v != 0 {
			return true
		}
	}
	return false
}

// prepare makes the plan: the steps, then a slot for every value they compute.
func (p *Prog) prepare() {
	values := len(p.In) + len(p.Body)
	p.plan.root = make([]int, values)
	for v := range p.plan.root {
		p.plan.root[v] = v
		if i := v - len(p.In); i >= 0 && p.Body[i].Op == Bitcast {
			p.plan.root[v] = p.plan.root[p.Body[i].Args[0]]
		}
		if p.plan.root[v] < len(p.In) {
			p.plan.views = append(p.plan.views, v)
		}
	}
	chains := p.chains()
	var open []int // skips, innermost last, whose ends are not reached
	for i := range p.Body {
		for len(open) > 0 {
			s := &p.plan.steps[open[len(open)-1]]
			if s.at+int(p.Body[s.at].Bits) >= i {
				break
			}
			s.skip = len(p.plan.steps) - 1 - open[len(open)-1]
			open = open[:len(open)-1]
		}
		in := &p.Body[i]
		s := action{z: len(p.In) + i, at: i, args: [3]int{values, values, values}}
		copy(s.args[:in.Op.Row().Arity], in.Args[:])
		switch chain := chains[i]; {
		case in.Op == Const, in.Op == Bitcast, chain.inner:
			continue
		case chain.coeffs != nil:
			s.args = [3]int{in.Args[1], values, values}
			s.loop = primitive.Horner(in.D, chain.coeffs)
		case in.Op == SkipUnless:
			open = append(open, len(p.plan.steps))
		default:
			s.loop = in.loop()
		}
		p.plan.steps = append(p.plan.steps, s)
	}
	for _, o := range open {
		p.plan.steps[o].skip = len(p.plan.steps) - 1 - o
	}
	p.allocate()
}

// loop is the loop that carries out a primitive instruction.
func (in *Inst) loop() Loop {
	switch in.Op {
	case Cast:
		return casts[in.Type][in.D]
	case Lookup:
		return primitive.Lookup(in.Type, in.D, in.Table)
	}
	return Table[in.Op].Loops[in.D]
}

// A chain is a polynomial by Horner's rule: instructions acc = fma(acc, x, c), each the
// only use of the one before, with constants c and a constant to begin with.
type chain struct {
	inner  bool      // not the last of its chain
	coeffs []float64 // the constants, from the highest power down; nil if this ends no chain
}

// chains finds the chains by their last instruction.
func (p *Prog) chains() []chain {
	uses, region := p.usesAndRegions()
	chains := make([]chain, len(p.Body))
	for i := range p.Body {
		in := &p.Body[i]
		if in.Op != FMA || !p.isCoefficient(in.Args[2]) {
			continue
		}
		var c []float64
		j := in.Args[0] - len(p.In)
		switch {
		case p.isCoefficient(in.Args[0]):
			c = []float64{p.coefficient(in.Args[0])}
		case j >= 0 && uses[in.Args[0]] == 1 && region[j] == region[i] && p.Body[j].Args[1] == in.Args[1] &&
			len(chains[j].coeffs) > 0 && (in.D == dtype.Float64 || len(chains[j].coeffs) < 16): // as many as primitive.Horner32 takes
			c, chains[j] = chains[j].coeffs, chain{inner: true}
		}
		if len(c) > 0 {
			chains[i].coeffs = append(c, p.coefficient(in.Args[2]))
		}
	}
	return chains
}

// isCoefficient reports whether v is a constant that the loops of polynomials take:
// any float64, a float32 as primitive.Horner32 says.
func (p *Prog) isCoefficient(v int) bool {
	if !p.isConst(v) || p.Type(v).IsNarrow() {
		return false
	}
	c := math.Abs(p.coefficient(v))
	return p.Type(v) == dtype.Float64 || c >= 0x1p-40 && c <= 0x1p40
}

func (p *Prog) coefficient(v int) float64 {
	return dtype.ToFloat(p.Type(v), p.Body[v-len(p.In)].Bits)
}

func (p *Prog) isConst(v int) bool { return v >= len(p.In) && p.Body[v-len(p.In)].Op == Const }

// usesAndRegions counts the uses of each value, and numbers for each instruction the
// innermost skipped region that it is in.
func (p *Prog) usesAndRegions() (uses, region []int) {
	uses = make([]int, len(p.In)+len(p.Body))
	region = make([]int, len(p.Body))
	for i := range p.Body {
		in := &p.Body[i]
		for k := range in.Op.Row().Arity {
			uses[in.Args[k]]++
		}
		if in.Op == SkipUnless {
			for j := i + 1; j <= i+int(in.Bits); j++ {
				region[j] = i + 1
			}
		}
	}
	uses[p.Out]++
	return uses, region
}

// allocate gives every value of the steps a slot. Operands die at their last use, and a
// result may take the slot of an operand that dies with it where the loop works in
// place: where both are equally wide.
func (p *Prog) allocate() {
	root := p.plan.root
	last := p.lastUses()
	p.plan.slot = make([]int, len(root))
	for v := range p.plan.slot {
		p.plan.slot[v] = -1
	}
	var free []int
	take := func(v int) {
		if len(free) == 0 {
			free = append(free, p.plan.slots)
			p.plan.slots++
		}
		p.plan.slot[v] = free[len(free)-1]
		free = free[:len(free)-1]
	}
	for i := range p.plan.steps {
		s := &p.plan.steps[i]
		var dying []int
		inPlace := true
		for k, v := range s.args {
			if v == len(root) {
				continue
			}
			inPlace = inPlace && s.loop != nil && p.Type(v).Size() == p.Type(s.z).Size()
			r := root[v]
			repeated := k > 0 && s.args[0] != len(root) && r == root[s.args[0]] || k == 2 && s.args[1] != len(root) && r == root[s.args[1]]
			if last[r] == i && !repeated && p.plan.slot[r] >= 0 {
				dying = append(dying, p.plan.slot[r])
			}
		}
		if inPlace {
			free = append(free, dying...)
			take(s.z)
			continue
		}
		if s.loop != nil {
			take(s.z)
		}
		free = append(free, dying...)
	}
	for v := range root { // constants come last: they never die
		if p.isConst(v) && last[v] >= 0 {
			p.plan.slot[v] = p.plan.slots
			p.plan.slots++
		}
	}
}

// lastUses is, by root, the last step that reads it, -1 if none does.
func (p *Prog) lastUses() []int {
	last := make([]int, len(p.plan.root))
	for v := range last {
		last[v] = -1
	}
	for i := range p.plan.steps {
		for _, v := range p.plan.steps[i].args {
			if v < len(last) {
				last[p.plan.root[v]] = i
			}
		}
	}
	last[p.plan.root[p.Out]] = len(p.plan.steps)
	return last
}

func (p *Prog) newFrame() *frame {
	values := len(p.plan.root)
	f := &frame{
		mem:  dtype.Alloc("values of a function of lanes", dtype.Uint64, p.plan.slots*lanes),
		full: make([]dtype.Buf, values+1),
		part: make([]dtype.Buf, values+1),
	}
	for v, r := range p.plan.root {
		s := p.plan.slot[r] * lanes
		if s < 0 {
			continue
		}
		f.full[v] = dtype.RawBuf(p.Type(v), f.mem.Slice(s, s+lanes).Pointer(), lanes)
		if p.isConst(v) {
			f.full[v].Fill(p.Body[v-len(p.In)].Bits)
		}
	}
	return f
}
