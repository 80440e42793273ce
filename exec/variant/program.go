package variant

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tiler-go/tiler/exec/engine"
	"github.com/tiler-go/tiler/exec/function"
)

// A Program is a variant in one engine.
type Program struct {
	Of      *Variant // that it is of
	Engine  string
	Ordered bool // no load is moved past a store: for arguments that share memory it stores to
	Code    engine.Code
	Err     error
	Pace    atomic.Int64 // of its tasks, for pool.Schedule

	sync.Mutex // held while the program is on trial
	trust      atomic.Int32
	reason     atomic.Pointer[string] // why it is not trusted, or what it was tried on
}

// Trust is how far a program is trusted.
type Trust int32

// How far.
const (
	Untried Trust = iota
	Trusted
	Refused
)

// Meaning is what the program is to do: what its kernel means, for these dtypes and constants, and the engine.
func (p *Program) Meaning() string {
	return fmt.Sprintf("%s\n%v\n%v\n%s", p.Engine, p.Ordered, p.Of.Ones, p.Of.Text())
}

// Trust is how far the program is trusted.
func (p *Program) Trust() Trust { return Trust(p.trust.Load()) }

// Standing is how far the program is trusted, and why.
func (p *Program) Standing() (trust Trust, reason string) {
	if p.Err != nil {
		return Refused, p.Err.Error()
	}
	trust = p.Trust()
	if trust == Untried {
		return trust, "not tried yet"
	}
	if r := p.reason.Load(); r != nil {
		reason = *r
	}
	return trust, reason
}

// Settle says how far the program is trusted from now on, and why.
func (p *Program) Settle(trust Trust, reason string) {
	p.reason.Store(&reason)
	p.trust.Store(int32(trust))
}

// code is the variant's code in the engine.
func (v *Variant) code(e *engine.Engine, ordered bool) (c engine.Code, err error) {
	defer function.Recover(&err)
	return e.Compile(v.fn, ordered)
}

// Program is the variant in an engine, compiled when first asked for.
func (v *Variant) Program(e *engine.Engine, ordered bool) *Program {
	if p := v.made(e.Name, ordered); p != nil {
		return p
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if p := v.made(e.Name, ordered); p != nil {
		return p
	}
	p := &Program{Of: v, Engine: e.Name, Ordered: ordered}
	p.Code, p.Err = v.code(e, ordered)
	all := append(slices.Clone(v.all()), p)
	v.programs.Store(&all)
	return p
}

// made is the variant in an engine, nil if it was not asked for yet.
func (v *Variant) made(engine string, ordered bool) *Program {
	for _, p := range v.all() {
		if p.Engine == engine && p.Ordered == ordered {
			return p
		}
	}
	return nil
}

// all is the variant in the engines that were asked for.
func (v *Variant) all() []*Program {
	if p := v.programs.Load(); p != nil {
		return *p
	}
	return nil
}

// Fastest is the variant in the fastest engine of a choice that has code for it. One that was
// refused is not passed over: what is wrong with the code may be wrong with all code
// that is made of the same functions.
func (v *Variant) Fastest(c *engine.Choice, ordered bool) (*Program, error) {
	if c.LimitErr != nil {
		return nil, c.LimitErr
	}
	for i := range slices.Backward(c.Table) {
		e := &c.Table[i]
		if e.Tier > c.Limit {
			continue
		}
		p := v.Program(e, ordered)
		switch {
		case p.Err != nil:
		case p.Trust() == Refused:
			_, reason := p.Standing()
			return nil, fmt.Errorf("%s: %s", e.Name, reason)
		default:
			return p, nil
		}
	}
	return nil, errors.Join(v.Without(c, ordered, "")...)
}

// Without is why engines of a choice that were asked have no code, from the fastest down to one that has.
func (v *Variant) Without(c *engine.Choice, ordered bool, has string) (reasons []error) {
	for _, e := range slices.Backward(c.Table) {
		if e.Name == has {
			break
		}
		if p := v.made(e.Name, ordered); p != nil && p.Err != nil {
			reasons = append(reasons, fmt.Errorf("%s: %w", e.Name, p.Err))
		}
	}
	return reasons
}
