package repl

import (
	"bufio"
	"io"
	"strings"

	"github.com/tiler-go/tiler/repl/cell"
)

// A cellReader cuts what comes in into cells, each as soon as it is complete: a script
// may be a person, or a program that waits for answers. Declarations wait for what
// follows, because those that follow one another are one cell.
type cellReader struct {
	in    *bufio.Reader
	text  string // what has come and is not handed out
	line  int    // the number of its first line
	ready []cell.Cell
	ended bool
}

func newCellReader(in io.Reader) *cellReader { return &cellReader{in: bufio.NewReader(in), line: 1} }

// next is the next cell; ok is false at the end.
func (r *cellReader) next() (c cell.Cell, ok bool) {
	for len(r.ready) == 0 {
		if r.ended {
			return cell.Cell{}, false
		}
		line, err := r.in.ReadString('\n')
		r.text += line
		r.ended = err != nil
		r.cut()
	}
	c = r.ready[0]
	r.ready = r.ready[1:]
	return c, true
}

// cut hands out what is complete.
func (r *cellReader) cut() {
	cells := cell.Split(strings.TrimSuffix(r.text, "\n"))
	if n := len(cells); n > 0 && !r.ended && r.mayGoOn(cells[n-1]) {
		if n == 1 {
			return
		}
		last := cells[n-1]
		r.hand(cells[:n-1])
		r.text = strings.Join(strings.SplitAfter(r.text, "\n")[last.Line-1:], "")
		r.line += last.Line - 1
		return
	}
	r.hand(cells)
	r.line += strings.Count(r.text, "\n")
	r.text = ""
}

func (r *cellReader) hand(cells []cell.Cell) {
	for _, c := range cells {
		c.Line += r.line - 1
		r.ready = append(r.ready, c)
	}
}

// mayGoOn reports whether what comes next may belong to a cell.
func (r *cellReader) mayGoOn(c cell.Cell) bool {
	if isCommand(c.Text) {
		return false
	}
	return cell.Incomplete(c.Text) || len(cell.Split(c.Text+"\nfunc _() {}")) == 1
}
