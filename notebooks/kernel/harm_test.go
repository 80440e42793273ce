package kernel

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestGarbage: whatever is sent on whichever socket, others are answered, and who knows the
// key is not harmed by who does not.
func TestGarbage(t *testing.T) {
	c := start(t)
	x := connect(t, c)
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 5000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	long := hello + strings.Repeat("\x00", 64-len(hello))
	ready := "\x04\x1c\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"
	for _, text := range []string{
		"", "\xff", string(noise), "GET / HTTP/1.1\r\n\r\n", strings.Repeat("\x00", 100), hello,
		long, // no READY
		strings.Replace(long, "NULL", "CURVE", 1),                      //
		strings.Replace(long, "\x03\x01", "\x01\x00", 1),               // ZeroMQ 2
		long + "\x04\x05\x09READY",                                     // a name longer than the command
		long + "\x04\x1b\x05READY\x0bSocket-Type\x00\x00\x00\xffDEALE", // a value longer than it
		long + "\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x03PUB",   // who has no business here
		long + ready + string(noise),
		long + ready + "\x02\x7f\xff\xff\xff\xff\xff\xff\xff", // a frame of exabytes
		long + ready + "\x02\x00\x00\x00\x00\x03\xff\xff\xffhalf",
		long + ready + strings.Repeat("\x01\x00", 5000), // frames without end
		long + ready + "\x04\x00" + "\x04\x05\x04PING" + "\x04\x06\x05ERROR",
		long + ready + frames("<IDS|MSG>"),
		long + ready + frames("<IDS|MSG>", "", "", "", "", ""),
		long + ready + frames(strings.Split(string(noise), "a")...),
	} {
		for _, port := range []int{c.Shell, c.Control, c.IOPub, c.Stdin, c.HB} {
			w := raw(t, port)
			_, _ = io.WriteString(w.conn, text) // the kernel may hang up
			if len(text)%2 == 0 {
				w.conn.Close()
			}
		}
	}
	if got := x.shows("1 + 1"); got != "2\n" {
		t.Errorf("got %q", got)
	}
	if got := connect(t, c).shows("1 + 2"); got != "3\n" {
		t.Errorf("got %q", got)
	}
}

// TestForged: what is signed with another key, or was signed and then changed or sent again,
// is not done, nor is what makes no sense.
func TestForged(t *testing.T) {
	x := connect(t, start(t))
	x.run("n := 0")
	run := object{"code": "n++"}
	x.sendAs(x.shell, "1", "another key", "execute_request", run)
	x.sendAs(x.shell, "2", "", "execute_request", run)
	head := `{"msg_id":"3","msg_type":"execute_request"}`
	x.shell.write(frames("<IDS|MSG>", signed(x.c.Key, head, "{}", "{}", `{"code":"n = 0"}`), head, "{}", "{}", `{"code":"n++"}`))
	x.shell.write(frames("<IDS|MSG>", strings.Repeat("0", 64), head, "{}", "{}", `{"code":"n++"}`))
	for _, parts := range [][]string{{"", "", "", ""}, {"{", "{}", "{}", "{}"}, {"[]", "{}", "{}", "{}"}, {head, "{}", "{}", "{"}, {`{"msg_type":5}`, "{}", "{}", "{}"}} {
		x.shell.write(frames(append([]string{"<IDS|MSG>", signed(x.c.Key, parts...)}, parts...)...))
	}
	x.sendAs(x.shell, "4", x.c.Key, "execute_request", run) // done
	x.sendAs(x.shell, "4", x.c.Key, "execute_request", run) // recorded
	x.sendAs(x.stdin, "5", x.c.Key, "execute_request", run) // on a channel for answers
	x.sendAs(x.shell, "6", x.c.Key, "input_reply", object{})
	if got := x.shows("n"); got != "1\n" {
		t.Errorf("n is %s", got)
	}
	for _, row := range messages() {
		if row.on != shellChannel || row.ends {
			continue
		}
		for _, content := range []string{"null", "[]", "3", `{"code":5,"cursor_pos":"x","comm_id":[],"hist_access_type":{}}`, `{"code":"a","cursor_pos":-5}`, `{"cursor_pos":99,"n":-1,"start":-3}`} {
			id := x.send(x.shell, row.kind, content)
			if strings.HasSuffix(row.kind, "_request") {
				x.answer(x.shell, id)
			}
		}
	}
	if got := x.shows("n"); got != "1\n" {
		t.Errorf("n is %s", got)
	}
}

// TestAlone: a kernel listens on this machine alone, and says what else it does not do.
func TestAlone(t *testing.T) {
	for text, want := range map[string]string{
		`{"ip":"0.0.0.0"}`:                           "127.0.0.1",
		`{"ip":"192.168.1.4"}`:                       "127.0.0.1",
		`{"ip":"*"}`:                                 "127.0.0.1",
		`{"ip":"127.0.0.1","transport":"ipc"}`:       "want tcp",
		`{"ip":"::1","signature_scheme":"hmac-md5"}`: "want hmac-sha256",
		`{"ip":`: "no connection file",
		`{"ip":"127.0.0.1","transport":"tcp","key":"k"}`: "",
	} {
		file := filepath.Join(t.TempDir(), "c.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadConnection(file); (err == nil) != (want == "") || want != "" && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// TestSurvives: what cells do to the prompt and it survives, a kernel survives, and
// variables are kept.
func TestSurvives(t *testing.T) {
	x := connect(t, start(t))
	x.run("kept := 42")
	for _, c := range []struct{ code, want string }{
		{"panic(\"on purpose\")", "Panic"},
		{"func f(n int) int { return f(n+1) + 1 }\nf(0)", "Error|Panic"},
		{"b := make([]byte, 1<<50)\nb[0]", "Error|Panic"},
		{"go func() { panic(\"in a goroutine\") }()\ntime.Sleep(50 * time.Millisecond)", ""},
		{"fmt.Print(\"\\xff\\xfe\", \"ü\"[:1])\nfmt.Print(\"ü\"[1:])", "\ufffd"},
		{"var p *tensor.Tensor\np.Dim(0)", "nil tensor"},
		{"func k(p *tl.Program, x tl.Ptr) { tl.Store(x.Add(1000), 1) }\nexec.New(k).Launch(exec.Grid{1}, tensor.Zeros(tl.Int32, 1))", "out of bounds"},
		{":edit kept", "no function|no editor"},
		{":step nothing", "Error"},
		{":load nothing.go", "no such file"},
	} {
		got := x.shows(c.code)
		found := c.want == ""
		for w := range strings.SplitSeq(c.want, "|") {
			found = found || w != "" && strings.Contains(got, w)
		}
		if !found {
			t.Errorf("%s\ngives %.300s\nwant %s", c.code, got, c.want)
		}
	}
	if got := x.shows("kept"); got != "42\n" {
		t.Errorf("kept is %s", got)
	}
}

// TestInterrupt: what runs for ever ends when it is told to, and variables are kept.
func TestInterrupt(t *testing.T) {
	x := connect(t, start(t))
	x.run("kept := 42\nfunc long(p *tl.Program, x tl.Ptr) {\n\tfor {\n\t\ttl.Store(x, tl.Load(x).Add(1))\n\t}\n}")
	for _, code := range []string{"for {}", "time.Sleep(time.Hour)", "for { fmt.Println(\"again\") }", "exec.New(long).Launch(exec.Grid{64}, tensor.Zeros(tl.Int32, 1))", ":check long[4](tensor.Zeros(tl.Int32, 1))", "select {}"} {
		id := x.send(x.shell, "execute_request", object{"code": code})
		time.Sleep(200 * time.Millisecond)
		began := time.Now()
		x.send(x.control, "interrupt_request", object{})
		if reply := x.answer(x.shell, id); reply.content["ename"] != "Interrupted" {
			t.Errorf("%s: got %v", code, reply)
		}
		took := time.Since(began)
		t.Logf("%s: %v", code, took)
		if took > 2*time.Second {
			t.Errorf("the interrupt of %s took %v", code, took)
		}
		if got := x.shows("kept"); got != "42\n" {
			t.Errorf("kept is %s", got)
		}
	}
}

// TestFlood: of a cell that prints without end some is shown, and it says how much is not.
func TestFlood(t *testing.T) {
	x := connect(t, start(t))
	got := x.shows("line := strings.Repeat(\"0123456789\", 100)\nfor range 12_000 { fmt.Println(line) }")
	if n := len(got); n < mostPrinted || n > mostPrinted+1000 || !strings.Contains(got, "1526240 more bytes were printed, and are left out") {
		t.Errorf("%d bytes, at the end %q", n, got[max(0, n-200):])
	}
	if got := x.shows("1"); got != "1\n" {
		t.Errorf("got %q", got)
	}
}

// TestProgress: of a launch that takes long one sees how far it is, in one place.
func TestProgress(t *testing.T) {
	if os.Getenv("TILER_LONG") == "" {
		t.Skip("a launch of over a second: TILER_LONG=1 makes it")
	}
	x := connect(t, start(t))
	_, list := x.run("func slow(p *tl.Program, x tl.Ptr) {\n\tfor range 25_000 {\n\t\t_ = p.ID(0)\n\t}\n\ttl.Store(x, 1)\n}\nexec.New(slow).Launch(exec.Grid{64}, tensor.Zeros(tl.Int32, 1))")
	place := func(g got) string { return fmt.Sprint(g.content["transient"].(object)["display_id"]) }
	first, updates := only(list, "display_data"), 0
	if !strings.Contains(first.text(), "of 64 programs") {
		t.Skipf("it took too little: %.500s", textOf(list))
	}
	var last got
	for _, g := range list {
		if g.kind == "update_display_data" {
			updates, last = updates+1, g
			if place(g) != place(first) {
				t.Errorf("progress at %s, then at %s", place(first), place(g))
			}
		}
	}
	if updates == 0 || !strings.Contains(last.text(), "slow on [64]: interpreted, ") {
		t.Errorf("%d updates, the last %v", updates, last)
	}
}

// TestSeveral: kernels do not know of one another, and clients of one see the same.
func TestSeveral(t *testing.T) {
	a, b := connect(t, start(t)), connect(t, start(t))
	a.run("v := 1")
	b.run("v := 2")
	if got := a.shows("v") + b.shows("v"); got != "1\n2\n" {
		t.Errorf("got %q", got)
	}
	other := connect(t, a.c)
	if got := other.shows("v"); got != "1\n" {
		t.Errorf("got %q", got)
	}
	if g := a.iopub.next(a.c.Key); g.kind != "status" {
		t.Errorf("got %v", g)
	}
}

// TestHeartbeat: what comes goes back, also while a cell runs.
func TestHeartbeat(t *testing.T) {
	x := connect(t, start(t))
	x.send(x.shell, "execute_request", object{"code": "for {}"})
	w := dial(t, x.c.HB, "REQ")
	w.write(frames("", "ping"))
	if a, b := w.frame(), w.frame(); a != "" || b != "ping" {
		t.Errorf("got %q, %q", a, b)
	}
	x.send(x.control, "shutdown_request", object{"restart": false})
}

// TestPing: a client may ask whether the connection lives, and leave a topic.
func TestPing(t *testing.T) {
	c := start(t)
	w := dial(t, c.IOPub, "SUB")
	w.write("\x04\x0a\x04PING\x00\x10abc")
	if got := w.frame(); got != "\x04PONGabc" {
		t.Errorf("got %q", got)
	}
	w.write("\x00\x02\x01k") // a subscription of version 3.0
	if g := w.next(c.Key); g.kind != "iopub_welcome" || g.content["subscription"] != "k" {
		t.Errorf("got %v", g)
	}
	w.write("\x00\x02\x00k" + "\x04\x08\x06CANCELz" + subscribe)
	if g := w.next(c.Key); g.content["subscription"] != "" {
		t.Errorf("got %v", g)
	}
}

// TestQuit: :quit ends the kernel, and tells its client.
func TestQuit(t *testing.T) {
	x := connect(t, start(t))
	if reply, _ := x.run(":quit"); !strings.Contains(reply.text(), "ask_exit") {
		t.Errorf("got %v", reply)
	}
	_ = x.shell.conn.SetReadDeadline(time.Now().Add(patience))
	if _, err := x.shell.in.ReadByte(); err != io.EOF {
		t.Errorf("the kernel does not hang up: %v", err)
	}
}
