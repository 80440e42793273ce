//go:build unix

package site_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A browser is headless Chromium, spoken to over a pipe in its DevTools protocol.
type browser struct {
	t       *testing.T
	out     *os.File
	session string // of the page

	mu       sync.Mutex
	next     int
	waiting  map[int]chan answer
	problems []string // exceptions, and errors in the console
	requests []string // addresses
	homes    []string // that requests may go to
}

type answer struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

type message struct {
	ID      int
	Method  string
	Params  json.RawMessage
	Session string `json:"sessionId"`
	answer
}

// chromium is the browser's program, "" if there is none.
func chromium() string {
	for _, name := range []string{os.Getenv("TILER_CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	return ""
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	program := chromium()
	if program == "" {
		t.Skip("no chromium here, which the page is tried in (Debian: chromium)")
	}
	profile, err := os.MkdirTemp("", "tiler-page-")
	if err != nil {
		t.Fatal(err)
	}
	toRead, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in, toWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars", "--user-data-dir="+profile, "about:blank")
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that its helpers end with it
	c.ExtraFiles = []*os.File{toRead, toWrite}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	toRead.Close()
	toWrite.Close()
	b := &browser{t: t, out: out, waiting: map[int]chan answer{}}
	ended := make(chan struct{})
	go func() { defer close(ended); b.read(in) }()
	t.Cleanup(func() {
		out.Close()
		syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		c.Wait()
		in.Close()
		<-ended
		for i := 0; os.RemoveAll(profile) != nil && i < 20; i++ { // its helpers may still write there
			time.Sleep(50 * time.Millisecond)
		}
	})
	var target struct{ TargetID string }
	b.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Network", "Log"} {
		b.do(domain+".enable", nil)
	}
	b.resize(1280, 900)
	b.do("Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true})
	return b
}

func (b *browser) read(in *os.File) {
	r := bufio.NewReaderSize(in, 1<<20)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		if to := b.waiting[m.ID]; m.ID != 0 && to != nil {
			delete(b.waiting, m.ID)
			to <- m.answer
		} else {
			b.event(m)
		}
		b.mu.Unlock()
	}
}

// event notes what a page must not do.
func (b *browser) event(m message) {
	var p struct {
		Request          struct{ URL string }
		Entry            struct{ Level, Text, URL string }
		Type             string
		Args             []struct{ Value any }
		ExceptionDetails struct {
			Text      string
			Exception struct{ Description string }
		}
		SessionID string
	}
	_ = json.Unmarshal(m.Params, &p)
	switch m.Method {
	case "Network.requestWillBeSent":
		b.requests = append(b.requests, p.Request.URL)
	case "Log.entryAdded":
		if p.Entry.Level == "error" || p.Entry.Level == "warning" {
			b.problems = append(b.problems, p.Entry.Text+" "+p.Entry.URL)
		}
	case "Runtime.consoleAPICalled":
		if p.Type == "error" || p.Type == "warning" {
			b.problems = append(b.problems, fmt.Sprint(p.Args))
		}
	case "Runtime.exceptionThrown":
		b.problems = append(b.problems, p.ExceptionDetails.Text+" "+p.ExceptionDetails.Exception.Description)
	case "Target.attachedToTarget": // a worker
		for _, domain := range []string{"Network", "Runtime", "Log"} {
			b.write(p.SessionID, domain+".enable", nil)
		}
	}
}

func (b *browser) write(session, method string, params any) (id int) {
	b.next++
	m := map[string]any{"id": b.next, "method": method}
	if params != nil {
		m["params"] = params
	}
	if session != "" {
		m["sessionId"] = session
	}
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	go b.out.Write(append(text, 0))
	return b.next
}

func (b *browser) call(session, method string, params, result any) {
	b.t.Helper()
	to := make(chan answer, 1)
	b.mu.Lock()
	b.waiting[b.write(session, method, params)] = to
	b.mu.Unlock()
	select {
	case a := <-to:
		if a.Error != nil {
			b.t.Fatalf("%s: %s", method, a.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(a.Result, result); err != nil {
				b.t.Fatal(err)
			}
		}
	case <-time.After(2 * time.Minute):
		b.t.Fatalf("%s: no answer", method)
	}
}

func (b *browser) do(method string, params any) { b.t.Helper(); b.call(b.session, method, params, nil) }

// eval is the value of an expression in the page, which may be a promise.
func (b *browser) eval(expression string, value any) {
	b.t.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	b.call(b.session, "Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s\n%s %s", expression, r.ExceptionDetails.Text, r.ExceptionDetails.Exception.Description)
	}
	if value != nil && len(r.Result.Value) > 0 {
		if err := json.Unmarshal(r.Result.Value, value); err != nil {
			b.t.Fatalf("%s: %v", expression, err)
		}
	}
}

func (b *browser) text(expression string) (s string) { b.t.Helper(); b.eval(expression, &s); return s }

// until waits for an expression to become true.
func (b *browser) until(what, expression string) {
	b.t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		ok := false
		b.eval("!!("+expression+")", &ok)
		if ok {
			return
		}
	}
	b.t.Fatalf("waited for %s in vain; the page has\n%s", what, b.text("document.body.innerText"))
}

// open goes to an address and waits for the page's text.
func (b *browser) open(address string) {
	b.t.Helper()
	b.do("Page.navigate", map[string]any{"url": "about:blank"})
	b.do("Page.navigate", map[string]any{"url": address})
	b.until("the page", "location.href.startsWith('http') && document.querySelector('.cell')")
}

// edit replaces part of a cell's text as somebody does who types; all of it if from is "".
func (b *browser) edit(cell int, from, to string) {
	b.t.Helper()
	area := fmt.Sprintf("document.querySelectorAll('.cell textarea')[%d]", cell)
	old, _ := json.Marshal(from)
	ok := false
	b.eval(fmt.Sprintf(`(() => { const a = %s, at = a.value.indexOf(%s); if (at < 0) return false; a.focus(); a.setSelectionRange(at, %s); return true })()`, area, old,
		map[bool]string{true: "a.value.length", false: fmt.Sprintf("at + %d", len(from))}[from == ""]), &ok)
	if !ok {
		b.t.Fatalf("cell %d has no %q", cell, from)
	}
	if to == "" {
		b.key("Delete")
		return
	}
	b.do("Input.insertText", map[string]any{"text": to})
}

func (b *browser) key(name string) {
	b.t.Helper()
	codes := map[string]int{"Delete": 46, "Tab": 9, "Enter": 13, "Escape": 27, "ArrowRight": 39, "ArrowDown": 40}
	for _, kind := range []string{"keyDown", "keyUp"} {
		b.do("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": name, "code": name, "windowsVirtualKeyCode": codes[name]})
	}
}

// prefers lets the page be light or dark.
func (b *browser) prefers(scheme string) {
	b.t.Helper()
	feature := map[string]any{"name": "prefers-color-scheme", "value": scheme}
	b.do("Emulation.setEmulatedMedia", map[string]any{"features": []any{feature}})
}

func (b *browser) resize(width, height int) {
	b.t.Helper()
	size := map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}
	b.do("Emulation.setDeviceMetricsOverride", size)
}

func (b *browser) screenshot(name string, width int, dark bool) {
	b.t.Helper()
	scheme := map[bool]string{true: "dark", false: "light"}[dark]
	b.prefers(scheme)
	height := 0
	b.resize(width, 900)
	b.eval("document.documentElement.scrollHeight", &height)
	b.resize(width, min(height, 16000))
	var shot struct{ Data string }
	b.call(b.session, "Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	image, err := base64.StdEncoding.DecodeString(shot.Data)
	if err == nil {
		err = os.WriteFile(name, image, 0o644)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// clean fails for errors, and for requests to what is not below a page's home.
func (b *browser) clean() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.problems {
		b.t.Errorf("the page complains: %s", p)
	}
	for _, r := range b.requests {
		if r != "about:blank" && !slices.ContainsFunc(b.homes, func(home string) bool { return strings.HasPrefix(r, home) || strings.HasPrefix(r, "blob:"+home) }) {
			b.t.Errorf("a request leaves the page: %s", r)
		}
	}
}
