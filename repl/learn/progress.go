package learn

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/show"
	"github.com/tiler-go/tiler/tilelang/overwrite"
)

// Progress is what somebody has solved, kept in a file. A file that cannot be read is an empty one,
// and what cannot be written lasts as long as the process.
type Progress struct {
	course *Course
	file   string
	kept
}

// kept is what is in the file.
type kept struct {
	Solved []string       `json:"solved"` // names of puzzles
	Hints  map[string]int `json:"hints"`  // how many hints each puzzle has given
}

// Progress is what a file says is solved of the course; "" is no file.
func (c *Course) Progress(file string) *Progress {
	p := &Progress{course: c, file: file, kept: kept{Hints: map[string]int{}}}
	p.load()
	return p
}

// load adds what the file says.
func (p *Progress) load() {
	text, err := os.ReadFile(p.file)
	var k kept
	if err != nil || json.Unmarshal(text, &k) != nil {
		return
	}
	for _, name := range k.Solved {
		if !slices.Contains(p.Solved, name) {
			p.Solved = append(p.Solved, name)
		}
	}
	for name, n := range k.Hints {
		p.Hints[name] = max(n, p.Hints[name])
	}
}

// change changes what the file says now: others may have written to it.
func (p *Progress) change(do func()) {
	p.load()
	do()
	text, err := json.Marshal(p.kept)
	if err != nil || p.file == "" || os.MkdirAll(filepath.Dir(p.file), 0o700) != nil {
		return
	}
	if old, err := os.ReadFile(p.file); err == nil && !json.Valid(old) {
		os.Rename(p.file, p.file+".broken") // somebody may want to look at it
	}
	_ = overwrite.Bytes(p.file, 0o600, append(text, '\n')) // what cannot be kept holds for this session
}

// Has reports whether a puzzle is solved.
func (p *Progress) Has(q *Puzzle) bool { return slices.Contains(p.Solved, q.Name) }

// Solve notes that a puzzle is solved.
func (p *Progress) Solve(q *Puzzle) {
	if !p.Has(q) {
		p.change(func() { p.Solved = append(p.Solved, q.Name) })
	}
}

// Hint is the puzzle's next hint, the last one over again when there are no more.
func (p *Progress) Hint(q *Puzzle) picture.Picture {
	p.change(func() { p.Hints[q.Name] = max(1, min(p.Hints[q.Name]+1, len(q.Hints))) })
	n := p.Hints[q.Name]
	pic := show.Aside(fmt.Sprintf("%s: hint %d of %d", q.Name, n, len(q.Hints)))
	pic.Append(show.Text(wrapped(q.Hints[n-1], columns)))
	return pic
}

// Next is the first puzzle that is not solved, nil if all are.
func (p *Progress) Next() *Puzzle {
	for _, q := range p.course.Puzzles {
		if !p.Has(q) {
			return q
		}
	}
	return nil
}

// Picture is the list of the puzzles, with what is solved.
func (p *Progress) Picture() picture.Picture {
	var rows [][]string
	next := p.Next()
	for _, q := range p.course.Puzzles {
		mark := ""
		switch {
		case p.Has(q):
			mark = "solved"
		case q == next:
			mark = "next"
		}
		rows = append(rows, []string{numbers([]int{q.Number()}), q.Name, q.Title, mark})
	}
	return show.Table([]string{"", "kernel", "puzzle", ""}, rows)
}
