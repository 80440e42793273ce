package peer

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

func TestPatience(t *testing.T) {
	_, in := io.Pipe()
	out, _ := io.Pipe()
	mute := On("mute", in, out)
	mute.in, mute.patience = nopCloser{io.Discard}, time.Millisecond
	if _, err := mute.Ask("run"); err == nil || !strings.Contains(err.Error(), "no answer") {
		t.Errorf("a peer that does not answer: error %v", err)
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func TestFirstError(t *testing.T) {
	wrong := fmt.Errorf("exit status 1")
	for _, c := range []struct{ out, want string }{
		{"", "exit status 1"},
		{"In file\nx.c:3: error: no dnnl.h\ncompilation terminated.\n", "x.c:3: error: no dnnl.h"},
		{"Traceback\n  File\nModuleNotFoundError: No module named 'torch'\n\n", "ModuleNotFoundError: No module named 'torch'"},
	} {
		if got := firstError(c.out, wrong); got != c.want {
			t.Errorf("firstError(%q) is %q, want %q", c.out, got, c.want)
		}
	}
}
