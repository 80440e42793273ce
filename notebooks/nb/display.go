package nb

import (
	"fmt"
	"html"
	"io"
	"os"
	"strings"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/tiler-go/tiler/repl/picture"
)

// display shows a picture, in HTML where there is a notebook, else as text. class is an
// additional class of the HTML.
func display(p picture.Picture, class string) {
	text := p.String()
	if !inNotebook() {
		io.WriteString(stdout, text+"\n")
		return
	}
	send(p.HTML(), inFunctions(text), class)
}

// send gives a notebook an output in HTML and the same as text.
func send(page, text, class string) {
	s := currentStamp()
	page = fmt.Sprintf("<div class=%q data-kernel=%q data-inputs=%q>%s</div>",
		strings.TrimSpace("tiler-output "+class), s.Kernel, s.Inputs, page)
	drain()
	if err := gonb().show(map[mime]any{mime(protocol.MIMETextHTML): page, mime(protocol.MIMETextPlain): text}); err != nil {
		fmt.Fprintf(os.Stderr, "nb: the output did not reach the notebook: %v\n%s\n", err, text)
	}
}

func escape(text string) string { return html.EscapeString(text) }
