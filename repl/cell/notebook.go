package cell

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/token"
	"go/types"
	"strings"
)

// pathNB is the package that shows values in a notebook.
const pathNB = "github.com/tiler-go/tiler/notebooks/nb"

// Notebook is the session as a notebook for gonb: a cell for each definition, and one
// that does what the session's cells did. It is one because variables do not outlive
// a cell in gonb, where each is a program.
func (s *Session) Notebook() []byte {
	b := newSaver(s, "main")
	for range 200 {
		if !b.putRight(b.program()) {
			break
		}
	}
	b.show = "nb.Show"
	body := formattedBody(b.body(0))
	if strings.Contains(body, "nb.Show(") {
		b.imports = append(b.imports, &def{name: "nb", path: pathNB, kind: token.IMPORT, obj: types.NewPkgName(token.NoPos, nil, "nb", types.NewPackage(pathNB, "nb"))})
	}
	cells := []string{b.importBlock()}
	for _, d := range b.defs {
		cells = append(cells, b.definition(d))
	}
	if vars := strings.TrimSpace(b.globalVars()); vars != "" {
		cells = append(cells, vars)
	}
	cells = append(cells, "%%\n"+body)
	return notebook(cells)
}

// formattedBody is statements as gofmt prints them in a function, without its indent.
func formattedBody(body string) string {
	text := formatted("package p\n\nfunc _() {\n" + body + "}\n")
	_, text, _ = strings.Cut(text, "{\n")
	lines := strings.Split(strings.TrimSuffix(strings.TrimRight(text, "\n"), "}"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, "\t")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// notebook is cells of code as a file.
func notebook(cells []string) []byte {
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
			"kernelspec":    map[string]any{"name": "tiler-gonb", "display_name": "tiler (gonb)", "language": "go"},
			"language_info": map[string]any{"name": "go", "file_extension": ".go", "mimetype": "text/x-go"},
		},
		"nbformat": 4, "nbformat_minor": 5,
	})
	if err != nil {
		panic(err) // strings can always be encoded
	}
	return b.Bytes()
}
