// Package shard divides work among the tasks of an array job, and puts what they print together.
package shard

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Shard is one of N parts of a run: the items whose number is I, I+N, I+2N, ... The zero Shard is all of it.
type Shard struct{ I, N int }

// arrays is how the tasks of an array job know their number: the variables of the number, of the first number, and of
// how many there are; "" where a scheduler says none.
var arrays = []struct{ index, first, count string }{
	{"JOB_COMPLETION_INDEX", "", ""}, // of an indexed job of Kubernetes
	{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT"},
	{"AWS_BATCH_JOB_ARRAY_INDEX", "", "AWS_BATCH_JOB_ARRAY_SIZE"},
}

// Flag defines the flag -shard.
func Flag(flags *flag.FlagSet) *Shard {
	s := new(Shard)
	flags.Func("shard", "do part `I/N` of the work, I from 0 on, and print JSON lines for tiler merge; "+
		"auto and auto/N take I from an array job's environment", func(text string) (err error) {
		*s, err = parse(text, os.Getenv)
		return err
	})
	return s
}

func parse(text string, env func(string) string) (s Shard, err error) {
	index, count, counted := strings.Cut(text, "/")
	if index == "auto" {
		if index, count, err = arrayTask(env, count, counted); err != nil {
			return Shard{}, err
		}
		counted = true
	}
	i, err := strconv.Atoi(index)
	n, errN := strconv.Atoi(count)
	switch {
	case err != nil || errN != nil || !counted:
		return Shard{}, fmt.Errorf("got %q, want I/N such as 0/8", text)
	case n < 1 || i < 0 || i >= n:
		return Shard{}, fmt.Errorf("there is no part %d of %d: they count from 0", i, n)
	}
	return Shard{i, n}, nil
}

// arrayTask is the number of this task of an array job, and how many there are.
func arrayTask(env func(string) string, count string, counted bool) (index, n string, err error) {
	var names []string
	for _, a := range arrays {
		names = append(names, a.index)
		index := env(a.index)
		if index == "" {
			continue
		}
		if first, e := strconv.Atoi(env(a.first)); e == nil {
			if i, e := strconv.Atoi(index); e == nil {
				index = strconv.Itoa(i - first)
			}
		}
		if !counted {
			count = env(a.count)
		}
		if count == "" {
			return "", "", fmt.Errorf("%s does not come with the number of tasks\n	fix: -shard auto/N", a.index)
		}
		return index, count, nil
	}
	return "", "", fmt.Errorf("none of %s is set: this is no task of an array job", strings.Join(names, ", "))
}

// Given reports whether it is not all of the run.
func (s Shard) Given() bool { return s.N > 0 }

// Has reports whether an item is the shard's.
func (s Shard) Has(item int) bool { return s.N == 0 || item%s.N == s.I }

// Of is the items of a shard.
func Of[T any](s Shard, all []T) (part []T) {
	for i, x := range all {
		if s.Has(i) {
			part = append(part, x)
		}
	}
	return part
}

// A line is an item of a shard, or its last line, which says how many items the whole run has.
type line struct {
	Of     string          `json:"of"` // the command
	File   string          `json:"file,omitempty"`
	Shard  int             `json:"shard"`
	Shards int             `json:"shards"`
	Item   int             `json:"item"`
	Failed bool            `json:"failed,omitempty"` // it makes the exit status 1
	Result json.RawMessage `json:"result,omitempty"`
	Items  *int            `json:"items,omitempty"` // of the whole run: this is the last line
}

// Lines prints what a shard does.
type Lines struct {
	Shard
	Of, File string // the command, and what it is about
	W        io.Writer
}

// Lines prints what the shard does of a command.
func (s Shard) Lines(of, file string, w io.Writer) Lines { return Lines{s, of, file, w} }

// Item prints the result of an item; failed is whether it makes the exit status 1.
func (s Lines) Item(item int, failed bool, result any) error {
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	return s.print(line{Item: item, Failed: failed, Result: text})
}

// End says that the shard is complete, of a run of so many items.
func (s Lines) End(items int) error { return s.print(line{Item: -1, Items: &items}) }

func (s Lines) print(l line) error {
	l.Of, l.File, l.Shard, l.Shards = s.Of, filepath.Base(s.File), s.I, s.N // each machine has its own folders
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	_, err = s.W.Write(append(text, '\n'))
	return err
}

// Merge writes the results of the lines in texts, in order, one a line, whatever the order of texts and however often a
// shard is among them. failed reports whether the whole run had failed.
func Merge(w io.Writer, texts map[string][]byte) (failed bool, err error) {
	m := &merging{items: map[int]line{}, ended: map[int]bool{}}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if err := m.read(texts[name]); err != nil {
			return false, fmt.Errorf("%s: %w", name, err)
		}
	}
	return m.write(w)
}

// A merging is the lines that were read. An item may have been done more than once, by a task that ran again: one of
// its lines is kept, the same whatever their order.
type merging struct {
	head  *line // a line of the run
	items map[int]line
	ended map[int]bool // shards
	total int
}

func (m *merging) read(text []byte) error {
	for text := range bytes.Lines(text) {
		var l line
		if err := json.Unmarshal(text, &l); err != nil || l.Shards < 1 || l.Of == "" {
			return fmt.Errorf("this is no line of a shard: %.60q\n	fix: write it with -shard", text)
		}
		if m.head == nil {
			m.head = &l
		}
		if h := m.head; h.Of != l.Of || h.File != l.File || h.Shards != l.Shards {
			return fmt.Errorf("a line of tiler %s %s in %d shards, among those of tiler %s %s in %d",
				l.Of, l.File, l.Shards, h.Of, h.File, h.Shards)
		}
		switch have, there := m.items[l.Item]; {
		case l.Items != nil && len(m.ended) > 0 && *l.Items != m.total:
			return fmt.Errorf("shard %d is of a run of %d items, and another one of %d", l.Shard, *l.Items, m.total)
		case l.Items != nil:
			m.ended[l.Shard], m.total = true, *l.Items
		case !there || bytes.Compare(l.Result, have.Result) < 0:
			m.items[l.Item] = l
		}
	}
	return nil
}

// write prints the results in order.
func (m *merging) write(w io.Writer) (failed bool, err error) {
	if m.head == nil {
		return false, errors.New("there is no line of a shard")
	}
	for i := range m.head.Shards {
		if !m.ended[i] {
			return false, fmt.Errorf("shard %d/%d is missing, or not complete", i, m.head.Shards)
		}
	}
	for i := range m.total {
		l, ok := m.items[i]
		if !ok {
			return false, fmt.Errorf("item %d of %d is missing", i, m.total)
		}
		failed = failed || l.Failed
		if _, err := fmt.Fprintf(w, "%s\n", l.Result); err != nil {
			return false, err
		}
	}
	return failed, nil
}
