//go:build unix

package cli

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// TestBusy: what cannot say how far it is says what it is at, and takes that away in the end;
// where nobody looks it says nothing.
func TestBusy(t *testing.T) {
	t.Parallel()
	keyboard, screen, err := pty.Open()
	if errors.Is(err, pty.ErrUnsupported) || errors.Is(err, fs.ErrNotExist) {
		t.Skip("no terminals here: ", err) // as in containers without /dev/ptmx
	}
	if err != nil {
		t.Fatal(err)
	}
	defer keyboard.Close()
	detail, end := NewBar(screen).Busy("building")
	detail("12 packages, a/b")
	var seen []byte
	keyboard.SetReadDeadline(time.Now().Add(10 * time.Second))
	for buf := make([]byte, 1000); !strings.Contains(string(seen), "12 packages, a/b"); {
		n, err := keyboard.Read(buf)
		if err != nil {
			t.Fatalf("saw %q, then %v", seen, err)
		}
		seen = append(seen, buf[:n]...)
	}
	end()
	screen.Close()
	rest, _ := io.ReadAll(keyboard)
	if text := string(append(seen, rest...)); !strings.HasPrefix(text, "\r\x1b[Kbuilding: ") || !strings.HasSuffix(text, "\r\x1b[K") {
		t.Errorf("saw %q", text)
	}
	var quiet strings.Builder
	b := &Bar{w: &quiet}
	b.say("something")
	if quiet.Len() > 0 {
		t.Errorf("where nobody looks: %q", &quiet)
	}
}
