package trace

import (
	_ "embed"
	"encoding/json"
	"html"
	"io"
	"path/filepath"
	"strings"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string
)

// title is the file with the folder that it is in.
func (t *Trace) title() string {
	parts := strings.Split(filepath.ToSlash(t.File), "/")
	return strings.Join(parts[max(len(parts)-2, 0):], "/")
}

// WritePage writes a trace as one HTML file that needs no other.
func (t *Trace) WritePage(w io.Writer) error {
	data, err := json.Marshal(t) // with < and > escaped: it cannot end its element
	if err != nil {
		return err
	}
	_, err = strings.NewReplacer(
		"{{title}}", html.EscapeString(t.title()),
		"{{style}}", pageCSS,
		"{{data}}", string(data),
		"{{script}}", pageJS,
	).WriteString(w, pageHTML)
	return err
}
