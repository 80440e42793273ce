package nb

import (
	"fmt"
	"html"
	"io"
	"os"
	"strings"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/tiler-go/tiler/repl/show"
)

// inNotebook reports whether gonb runs this program.
func inNotebook() bool { return gonbui.IsNotebook }

// display shows a picture, in HTML where there is a notebook, else as text. class is an
// additional class of the HTML.
func display(p show.Picture, class string) {
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
	gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{
		protocol.MIMETextHTML:  page,
		protocol.MIMETextPlain: text,
	}})
	arrived()
	if err := gonbui.Error(); err != nil {
		fmt.Fprintf(os.Stderr, "nb: the output did not reach the notebook: %v\n%s\n", err, text)
	}
}

// arrived waits until gonb has what was sent, so that what is printed after it comes
// after it. If gonb does not answer, the order is not worth a cell that never ends.
func arrived() {
	done := make(chan struct{})
	go func() {
		gonbui.Sync()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
	}
}

func escape(text string) string { return html.EscapeString(text) }
