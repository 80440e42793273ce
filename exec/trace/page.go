package trace

import (
	_ "embed"
	"encoding/json"
	"html"
	"io"
	"path/filepath"
	"strings"

	"github.com/tiler-go/tiler/exec/palette"
)

var (
	//go:embed page/page.html
	pageHTML string
	//go:embed page/page.css
	pageCSS string
	//go:embed page/start.js
	startJS string
	//go:embed page/grid.js
	gridJS string
	//go:embed page/source.js
	sourceJS string
	//go:embed page/overview.js
	overviewJS string
	//go:embed page/access.js
	accessJS string
	//go:embed page/step.js
	stepJS string
	//go:embed page/page.js
	pageJS string
)

// pageData is a trace with what the page shows of it first, and how its source looks.
type pageData struct {
	*Trace
	Open    place    `json:"open"`
	Classes []string `json:"classes"` // of words of the source
	Colours [][]int  `json:"colours"` // by line: column, length and class of each word that has one
}

// title is the file with the folder that it is in.
func (t *Trace) title() string {
	parts := strings.Split(filepath.ToSlash(t.File), "/")
	return strings.Join(parts[max(len(parts)-2, 0):], "/")
}

// WritePage writes a trace as a single self-contained HTML file.
func (t *Trace) WritePage(w io.Writer) error {
	data, err := json.Marshal(pageData{t, t.opening(), classNames[:], colours(t.Source)}) // with < and > escaped: it cannot end its element
	if err != nil {
		return err
	}
	_, err = strings.NewReplacer(
		"{{title}}", html.EscapeString(t.title()),
		"{{style}}", strings.NewReplacer("{{light}}", palette.CSS(false), "{{dark}}", palette.CSS(true)).Replace(pageCSS),
		"{{data}}", string(data),
		"{{script}}", startJS+gridJS+sourceJS+overviewJS+accessJS+stepJS+pageJS,
	).WriteString(w, pageHTML)
	return err
}
