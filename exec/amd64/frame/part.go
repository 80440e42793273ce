package frame

import (
	"errors"
	"sync"

	"github.com/tiler-go/tiler/exec/amd64/asm"
)

// A Part of the code is made when it is first asked for; without Make there is none.
type Part[T any] struct {
	Make func() (T, error)
	once sync.Once
	made T
	err  error
}

// Try gives the part, or why it cannot be made.
func (p *Part[T]) Try() (T, error) {
	p.once.Do(func() { p.made, p.err = p.Make() })
	return p.made, p.err
}

// Get gives the part, the zero value if it cannot be made: a launch then goes another way. Code that
// the assembler refuses is a mistake of who wrote it.
func (p *Part[T]) Get() T {
	made, err := p.Try()
	if err != nil {
		if bad := (*asm.Error)(nil); errors.As(err, &bad) {
			panic("machine code: " + err.Error())
		}
	}
	return made
}

// Ready is the part if it has been made.
func (p *Part[T]) Ready() T { return p.made }

// End gives the part if there is one, and makes none from now on.
func (p *Part[T]) End() T {
	p.once.Do(func() {})
	return p.made
}
