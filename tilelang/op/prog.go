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
	plan plan // how Run goes about it
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
