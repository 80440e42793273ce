//go:build unix

package nb

import (
	"encoding/gob"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// fakeGonb is gonb's end of a program's pipes: it acknowledges what it is asked to, and
// lists the rest when the program has closed its end.
func fakeGonb(t *testing.T) (shown <-chan []string) {
	t.Helper()
	for _, name := range []string{protocol.GONB_PIPE_ENV, protocol.GONB_PIPE_BACK_ENV} {
		path := filepath.Join(t.TempDir(), name)
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Setenv(name, path)
	}
	list := make(chan []string, 1)
	go func() {
		in, err := os.Open(os.Getenv(protocol.GONB_PIPE_ENV))
		if err != nil {
			t.Error(err)
		}
		back, err := os.OpenFile(os.Getenv(protocol.GONB_PIPE_BACK_ENV), os.O_RDWR, 0)
		if err != nil {
			t.Error(err)
		}
		var got []string
		acks := gob.NewEncoder(back)
		for dec := gob.NewDecoder(in); ; {
			var m protocol.DisplayData
			if err := dec.Decode(&m); err != nil {
				list <- append(got, err.Error())
				return
			}
			if c, ok := m.Data[protocol.MIMECommValue].(protocol.CommValue); ok {
				acks.Encode(protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: c.Value})
				continue
			}
			got = append(got, fmt.Sprint(m.Data[protocol.MIMETextHTML]))
		}
	}()
	return list
}

func TestPipe(t *testing.T) {
	shown := fakeGonb(t)
	p := openPipe(true)
	long := strings.Repeat("x", 1<<20)
	for _, text := range []string{"one", long, "three"} {
		if err := p.show(map[mime]any{mime(protocol.MIMETextHTML): text}); err != nil {
			t.Fatal(err)
		}
	}
	p.to.Close()
	if got, want := <-shown, []string{"one", long, "three", "EOF"}; !slices.Equal(got, want) {
		t.Errorf("%.200q", got)
	}
	if err := p.show(nil); err == nil {
		t.Error("no error of a closed pipe")
	}
}

// TestPipeBesideGonbui: both write to one stream, in which no type may be described twice.
func TestPipeBesideGonbui(t *testing.T) {
	if inNotebook() { // the cell
		for i := range 3 {
			send(fmt.Sprint("nb ", i), "", "")
			gonbui.DisplayHTML(fmt.Sprint("gonbui ", i))
			gonbui.Sync()
		}
		return
	}
	shown := fakeGonb(t)
	if out, err := exec.Command(os.Args[0], "-test.run=^TestPipeBesideGonbui$").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	got := <-shown
	for i, html := range got {
		got[i] = regexp.MustCompile("<.*?>").ReplaceAllString(html, "")
	}
	if want := []string{"nb 0", "gonbui 0", "nb 1", "gonbui 1", "nb 2", "gonbui 2", "EOF"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestPipeMissing(t *testing.T) {
	t.Setenv(protocol.GONB_PIPE_ENV, filepath.Join(t.TempDir(), "none"))
	if err := openPipe(true).show(nil); err == nil {
		t.Error("no error")
	}
}
