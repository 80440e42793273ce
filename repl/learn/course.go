package learn

import (
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Course is puzzles in the order in which they are to be solved, and the exercises of the tutorials.
type Course struct {
	Puzzles, Exercises []*Puzzle

	functions func() map[string]function // of the files with the solutions, by name
}

// NewCourse is the course of these puzzles and exercises, whose solutions are in files: Go's, in one folder.
func NewCourse(files fs.FS, puzzles, exercises []*Puzzle) *Course {
	c := &Course{Puzzles: puzzles, Exercises: exercises}
	c.functions = sync.OnceValue(func() map[string]function { return functions(files) })
	for _, p := range c.All() {
		p.course = c
	}
	return c
}

// All is the puzzles, and then the exercises.
func (c *Course) All() []*Puzzle { return slices.Concat(c.Puzzles, c.Exercises) }

// Named is a puzzle or exercise by the name of its kernel, or a puzzle by its number; the error
// says which there are.
func (c *Course) Named(name string) (*Puzzle, error) {
	var names []string
	for _, p := range c.All() {
		if n := p.Number(); p.Name == name || n > 0 && fmt.Sprint(n) == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	if near := diag.Nearest(name, names); near != "" {
		return nil, fmt.Errorf("no puzzle %s (did you mean %s?)", name, near)
	}
	return nil, fmt.Errorf("no puzzle %s: choose 1 to %d", name, len(c.Puzzles))
}
