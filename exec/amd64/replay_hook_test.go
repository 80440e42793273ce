package amd64

import "github.com/tiler-go/tiler/exec/codemem"

// Written calls f with all machine code that is made until the function it returns is called.
func Written(f func(code []byte)) (stop func()) {
	write = func(code []byte) (*codemem.Code, error) {
		f(code)
		return codemem.Write(code)
	}
	return func() { write = codemem.Write }
}
