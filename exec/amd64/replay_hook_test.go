package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/codemem"
)

// Written calls f with all machine code that is made until the function it returns is called.
func Written(f func(code []byte)) (stop func()) {
	frame.Write = func(code []byte) (*codemem.Code, error) {
		f(code)
		return codemem.Write(code)
	}
	return func() { frame.Write = codemem.Write }
}
