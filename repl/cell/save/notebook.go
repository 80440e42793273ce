package save

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/sugar"
)

// pathNB is the package that shows values in a notebook.
const pathNB = "github.com/tiler-go/tiler/notebooks/nb"

// Notebook is the session as a notebook for gonb, a cell for each of its cells: definitions,
// and a program of statements. Variables do not outlive a cell in gonb, so that one begins
// with what made the variables that it uses. If functions use variables of the session, their
// values depend on all that came before, and one cell does what all cells did.
func (l *Log) Notebook() []byte {
	b := newSaver(l, "main")
	b.settle()
	b.show = "nb.Show"
	body := formattedBody(b.body(0))
	if strings.Contains(body, "nb.Show(") {
		b.importNB()
	}
	cells := []string{b.importBlock()}
	if vars := strings.TrimSpace(b.globalVars()); vars != "" {
		for _, d := range b.defs {
			cells = append(cells, b.definition(d))
		}
		cells = append(cells, vars, "%%\n"+body)
	} else {
		cells = append(cells, l.editions()...)
	}
	return notebook("tiler-gonb", "tiler (gonb)", cells)
}

// editions is the session's cells as those of gonb, without those that do nothing.
func (l *Log) editions() (cells []string) {
	for i := range l.scope.Sources {
		e := l.Edition(i, true)
		if e.Body != "" {
			e.Decls = strings.TrimSpace(e.Decls + "\n\n%%\n" + e.Body)
		}
		if e.Decls != "" {
			cells = append(cells, e.Decls)
		}
	}
	return cells
}

// CellsNotebook is cells as they were typed, as a notebook for the kernel that is the prompt.
func CellsNotebook(cells []string) []byte { return notebook("tiler", "tiler", cells) }

// NotebookCells is the cells of code of a notebook for the kernel that is the prompt.
func NotebookCells(name string, text []byte) (cells []string, err error) {
	var f struct {
		Cells []struct {
			Kind   string `json:"cell_type"`
			Source any    `json:"source"` // a text, or its lines
		} `json:"cells"`
		Metadata struct {
			Kernel struct{ Name string } `json:"kernelspec"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("%s is no notebook: %w", name, err)
	}
	if k := f.Metadata.Kernel.Name; k != "tiler" {
		return nil, fmt.Errorf("%s is a notebook for the kernel %q, whose cells are not those of a prompt\n\tfix: tiler jupyter run opens it", name, k)
	}
	for _, c := range f.Cells {
		if c.Kind == "code" {
			cells = append(cells, joined(c.Source))
		}
	}
	return cells, nil
}

func joined(source any) string {
	lines, ok := source.([]any)
	if !ok {
		return fmt.Sprint(source)
	}
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprint(&b, l)
	}
	return b.String()
}

// formattedBody is statements as gofmt prints them in a function, without its indent.
func formattedBody(body string) string {
	text := sugar.Formatted("package p\n\nfunc _() {\n" + body + "}\n")
	_, text, _ = strings.Cut(text, "{\n")
	lines := strings.Split(strings.TrimSuffix(strings.TrimRight(text, "\n"), "}"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, "\t")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// notebook is cells of code as a file for a kernel.
func notebook(kernel, display string, cells []string) []byte {
	type cell struct {
		Kind     string         `json:"cell_type"`
		Count    *int           `json:"execution_count"`
		ID       string         `json:"id"`
		Metadata map[string]any `json:"metadata"`
		Outputs  []any          `json:"outputs"`
		Source   []string       `json:"source"`
	}
	var list []cell
	for i, text := range cells {
		c := cell{Kind: "code", ID: fmt.Sprintf("cell-%d", i+1), Metadata: map[string]any{}, Outputs: []any{}}
		for line := range strings.Lines(text) {
			c.Source = append(c.Source, line)
		}
		list = append(list, c)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(map[string]any{
		"cells": list,
		"metadata": map[string]any{
			"kernelspec":    map[string]any{"name": kernel, "display_name": display, "language": "go"},
			"language_info": map[string]any{"name": "go", "file_extension": ".go", "mimetype": "text/x-go"},
		},
		"nbformat": 4, "nbformat_minor": 5,
	})
	if err != nil {
		panic(err) // strings can always be encoded
	}
	return b.Bytes()
}
