package repl

import (
	"bufio"
	"io"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/scan"
)

// A cellReader cuts what comes in into cells, each as soon as it is complete: a script
// may be a person, or a program that waits for answers. Declarations wait for what
// follows, because those that follow one another are one cell.
type cellReader struct {
	in    *bufio.Reader
	split scan.Splitter
	ready []scan.Cell
	ended bool
}

func newCellReader(in io.Reader) *cellReader { return &cellReader{in: bufio.NewReader(in)} }

// next is the next cell; ok is false at the end.
func (r *cellReader) next() (c scan.Cell, ok bool) {
	for len(r.ready) == 0 {
		if r.ended {
			return scan.Cell{}, false
		}
		line, err := r.in.ReadString('\n')
		r.ready = r.split.Add(strings.TrimSuffix(line, "\n"))
		if r.ended = err != nil; r.ended {
			r.ready = append(r.ready, r.split.End()...)
		}
	}
	c = r.ready[0]
	r.ready = r.ready[1:]
	return c, true
}
