package jupyter

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Notebook is an .ipynb file, format 4.5.
type Notebook struct {
	Cells    []Cell         `json:"cells"`
	Metadata map[string]any `json:"metadata"`
	Format   int            `json:"nbformat"`
	Minor    int            `json:"nbformat_minor"`
}

// A Cell is code with what it printed, or text.
type Cell struct {
	Kind     string         // "code" or "markdown"
	ID       string         // unique in the notebook
	Source   string         //
	Metadata map[string]any //
	Count    int            // execution count; 0 if the cell has not run
	Outputs  []Output       // of code
}

// An Output is what a cell showed: a stream of text, data of one or more types, or an
// error.
type Output struct {
	Kind      string               `json:"output_type"`
	Name      string               `json:"name,omitempty"`     // of a stream
	Text      Lines                `json:"text,omitempty"`     // of a stream
	Data      map[string]MultiLine `json:"data,omitempty"`     // by MIME type
	Metadata  *map[string]any      `json:"metadata,omitempty"` // of data
	Count     *int                 `json:"execution_count,omitempty"`
	Error     string               `json:"ename,omitempty"`
	Value     string               `json:"evalue,omitempty"`
	Traceback []string             `json:"traceback,omitempty"`
}

// Lines is text, stored as one string per line.
type Lines = MultiLine

// MultiLine is text that Jupyter may store as one string or as one per line.
type MultiLine string

// UnmarshalJSON accepts a string or a list of them. Data that is no text is kept as JSON.
func (m *MultiLine) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*m = MultiLine(one)
		return nil
	}
	var many []string
	if err := json.Unmarshal(text, &many); err == nil {
		*m = MultiLine(strings.Join(many, ""))
		return nil
	}
	*m = MultiLine(text)
	return nil
}

// MarshalJSON writes one string per line.
func (m MultiLine) MarshalJSON() ([]byte, error) { return plain(splitLines(string(m))) }

func splitLines(text string) []string {
	lines := []string{}
	for line := range strings.Lines(text) {
		lines = append(lines, line)
	}
	return lines
}

// cellFile is a cell as the file has it.
type cellFile struct {
	Kind     string          `json:"cell_type"`
	Count    json.RawMessage `json:"execution_count,omitempty"`
	ID       string          `json:"id,omitempty"`
	Metadata map[string]any  `json:"metadata"`
	Outputs  *[]Output       `json:"outputs,omitempty"`
	Source   MultiLine       `json:"source"`
}

// UnmarshalJSON reads a cell of the file.
func (c *Cell) UnmarshalJSON(text []byte) error {
	var f cellFile
	if err := json.Unmarshal(text, &f); err != nil {
		return err
	}
	*c = Cell{Kind: f.Kind, ID: f.ID, Source: string(f.Source), Metadata: f.Metadata}
	if f.Outputs != nil {
		c.Outputs = *f.Outputs
	}
	if len(f.Count) > 0 {
		return json.Unmarshal(f.Count, &c.Count)
	}
	return nil
}

// MarshalJSON writes a cell of the file.
func (c Cell) MarshalJSON() ([]byte, error) {
	f := cellFile{Kind: c.Kind, ID: c.ID, Metadata: c.Metadata, Source: MultiLine(c.Source)}
	if f.Metadata == nil {
		f.Metadata = map[string]any{}
	}
	if c.Kind == "code" {
		outputs := c.Outputs
		if outputs == nil {
			outputs = []Output{}
		}
		f.Outputs = &outputs
		f.Count = json.RawMessage("null")
		if c.Count > 0 {
			f.Count = json.RawMessage(fmt.Sprint(c.Count))
		}
	}
	return plain(f)
}

// plain is JSON without the escapes for HTML that nobody can read in a diff.
func plain(v any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return []byte(b.String()), err
}

// Parse reads an .ipynb file.
func Parse(text []byte) (*Notebook, error) {
	nb := &Notebook{}
	return nb, json.Unmarshal(text, nb)
}

// New is a notebook of a kernel, with the code of its cells.
func New(kernel string, code ...string) *Notebook {
	nb := &Notebook{Format: 4, Minor: 5, Metadata: map[string]any{
		"kernelspec":    map[string]any{"name": kernel, "display_name": displayNames[kernel], "language": "go"},
		"language_info": map[string]any{"name": "go", "file_extension": ".go", "mimetype": "text/x-go"},
	}}
	for i, text := range code {
		nb.Cells = append(nb.Cells, Cell{Kind: "code", ID: fmt.Sprintf("cell-%d", i+1), Source: text})
	}
	return nb
}

// Bytes is the notebook as Jupyter writes it: keys in order, an indent of one space.
func (nb *Notebook) Bytes() ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(nb)
	return []byte(b.String()), err
}
