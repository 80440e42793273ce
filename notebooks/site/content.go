package site

import (
	"embed"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/tiler-go/tiler/notebooks"
	"github.com/tiler-go/tiler/repl/learn"
	"github.com/tiler-go/tiler/repl/learn/puzzles"
)

//go:embed lessons/*.md
var lessons embed.FS

// content is what the page shows, as the page reads it.
type content struct {
	Version string            `json:"version"`
	Size    size              `json:"size"`
	Lessons []lesson          `json:"lessons"`
	Puzzles map[string]puzzle `json:"puzzles"` // and exercises, by kernel
	Order   []string          `json:"order"`   // of the puzzles
	Blank   string            `json:"blank"`
}

// size is how large the program is, as it is sent and as it is.
type size struct {
	Compressed int64 `json:"compressed"`
	Whole      int64 `json:"whole"`
}

type lesson struct {
	Slug  string `json:"slug"`
	Title string `json:"title"`
	Parts []part `json:"parts"`
}

// A part is words in Markdown, a cell, or a kernel to write.
type part struct {
	Words  string  `json:"words,omitempty"`
	Code   *string `json:"code,omitempty"`
	Puzzle string  `json:"puzzle,omitempty"`
}

type puzzle struct {
	Title    string   `json:"title"`
	Text     string   `json:"text"`
	Launch   string   `json:"launch"`
	Skeleton string   `json:"skeleton"`
	Solution string   `json:"solution"`
	Hints    []string `json:"hints"`
}

// blank is what a blank sheet begins with.
const blank = `A := tensor.Arange(tl.Float32, 0, 64).Reshape(8, 8)
A + (tl.Arange(0, 4)[:, None]*8 + tl.Arange(0, 4)[None, :])`

// newContent is the lessons of the page and the tutorials, and the puzzles. Tutorials
// whose cells are programs for gonb are no cells of a prompt, and are left out.
func newContent() (*content, error) {
	c := &content{Puzzles: map[string]puzzle{}, Blank: blank}
	for _, name := range []string{"start", "stray"} {
		text, err := lessons.ReadFile("lessons/" + name + ".md")
		if err != nil {
			return nil, err
		}
		c.add(name, string(text))
	}
	names, err := fs.Glob(notebooks.Sources, "src/*.md")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := notebooks.Sources.ReadFile(name)
		if err != nil {
			return nil, err
		}
		compiled, live := strings.Contains(string(text), "\n%%\n"), fence.Match(text) || directive.Match(text)
		if !compiled && live { // the puzzles have pages of their own
			c.add(strings.TrimSuffix(path.Base(name), ".md"), string(text))
		}
	}
	for _, p := range puzzles.Course.Puzzles {
		c.Order = append(c.Order, p.Name)
		c.Puzzles[p.Name] = newPuzzle(p)
	}
	return c, nil
}

// add adds a lesson, and the exercises that it names.
func (c *content) add(slug, text string) {
	title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
	l := lesson{Slug: slug, Title: title, Parts: parts(onwards.ReplaceAllString(text, ""))}
	for _, p := range l.Parts {
		if q, err := puzzles.Course.Named(p.Puzzle); p.Puzzle != "" && err == nil {
			c.Puzzles[p.Puzzle] = newPuzzle(q)
		}
	}
	c.Lessons = append(c.Lessons, l)
}

func newPuzzle(p *learn.Puzzle) puzzle {
	return puzzle{
		Title: p.Title, Text: p.Text, Launch: strings.Join(strings.Fields(p.Launch()), " "),
		Skeleton: learn.Sugar(p.Skeleton()), Solution: learn.Sugar(p.Solution()), Hints: p.Hints,
	}
}

var (
	fence     = regexp.MustCompile("(?ms)^```go[^\n]*\n(.*?)^```[ \t]*$")
	directive = regexp.MustCompile(`(?m)^<!-- (?:exercise|puzzle) (\w+) -->$`)
	onwards   = regexp.MustCompile(`\nNext: \[[^\n]*\n*$`) // the page has a link of its own
)

// parts splits a text at its cells, and at the lines that stand for kernels to write.
func parts(text string) (list []part) {
	words := func(text string) {
		for {
			at := directive.FindStringSubmatchIndex(text)
			before := text
			if at != nil {
				before = text[:at[0]]
			}
			if before = strings.TrimSpace(before); before != "" {
				list = append(list, part{Words: before})
			}
			if at == nil {
				return
			}
			list = append(list, part{Puzzle: text[at[2]:at[3]]})
			text = text[at[1]:]
		}
	}
	for {
		at := fence.FindStringSubmatchIndex(text)
		if at == nil {
			words(text)
			return list
		}
		words(text[:at[0]])
		code := strings.Trim(text[at[2]:at[3]], "\n")
		list = append(list, part{Code: &code})
		text = text[at[1]:]
	}
}
