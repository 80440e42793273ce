package kernel

import (
	"bufio"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// A client that knows nothing of the kernel's code: it writes ZeroMQ and Jupyter's messages
// byte by byte.

const patience = 20 * time.Second // for an answer: the machine may be busy

// start is a kernel, and where it listens.
func start(t *testing.T) Connection {
	t.Helper()
	c := Connection{Transport: "tcp", IP: "127.0.0.1", Scheme: "hmac-sha256", Key: "a key"}
	for _, port := range []*int{&c.Shell, &c.IOPub, &c.Stdin, &c.Control, &c.HB} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		*port = l.Addr().(*net.TCPAddr).Port
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		for { // until the ports are free
			err := Serve(ctx, c, Options{Version: "1"}, nil)
			if err == nil || !strings.Contains(err.Error(), "in use") {
				ended <- err
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return c
}

// A wire is a connection to one socket.
type wire struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

// raw is a connection on which nothing was said.
func raw(t *testing.T, port int) wire {
	t.Helper()
	for range 200 {
		if conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			t.Cleanup(func() { conn.Close() })
			return wire{t, conn, bufio.NewReader(conn)}
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the kernel does not listen")
	return wire{}
}

const (
	hello     = "\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x01NULL"
	subscribe = "\x04\x0a\x09SUBSCRIBE"
)

// dial is a connection that is ready.
func dial(t *testing.T, port int, kind string) wire {
	t.Helper()
	w := raw(t, port)
	ready := "\x05READY\x0bSocket-Type\x00\x00\x00" + string(rune(len(kind))) + kind + "\x08Identity\x00\x00\x00\x02me"
	w.write(hello + strings.Repeat("\x00", 64-len(hello)) + "\x04" + string(rune(len(ready))) + ready)
	if _, err := w.in.Discard(64); err != nil {
		t.Fatal(err)
	}
	if b := w.frame(); !strings.HasPrefix(b, "\x05READY\x0bSocket-Type") {
		t.Fatalf("got %q, want READY", b)
	}
	return w
}

func (w wire) write(text string) {
	w.t.Helper()
	if _, err := io.WriteString(w.conn, text); err != nil {
		w.t.Fatal(err)
	}
}

// frame reads a frame.
func (w wire) frame() string {
	w.t.Helper()
	body, _ := w.part()
	return body
}

func (w wire) part() (body string, more bool) {
	w.t.Helper()
	_ = w.conn.SetReadDeadline(time.Now().Add(patience))
	flags := w.bytes(1)[0]
	size := make([]byte, 8)
	if flags&2 != 0 {
		size = w.bytes(8)
	} else {
		size[7] = w.bytes(1)[0]
	}
	return string(w.bytes(binary.BigEndian.Uint64(size))), flags&1 != 0
}

func (w wire) bytes(n uint64) []byte {
	w.t.Helper()
	b := make([]byte, n)
	if _, err := io.ReadFull(w.in, b); err != nil {
		w.t.Fatal("no frame: ", err)
	}
	return b
}

// frames is a message as bytes.
func frames(list ...string) string {
	var b []byte
	for i, f := range list {
		flags := byte(2)
		if i < len(list)-1 {
			flags = 3
		}
		b = append(binary.BigEndian.AppendUint64(append(b, flags), uint64(len(f))), f...)
	}
	return string(b)
}

type object = map[string]any

// A got is a message that came.
type got struct {
	kind, parent string
	content      object
}

func (g got) text() string { return fmt.Sprint(g.content) }

// next reads a message, and checks its signature.
func (w wire) next(key string) got {
	w.t.Helper()
	var parts []string
	for more := true; more; {
		var body string
		body, more = w.part()
		if parts = append(parts, body); len(parts) > 0 && body == "<IDS|MSG>" {
			parts = nil
		}
	}
	if len(parts) != 5 || parts[0] != signed(key, parts[1:]...) {
		w.t.Fatalf("a message of %d parts, or with a wrong signature: %q", len(parts), parts)
	}
	var head, parent object
	var g got
	for i, to := range []any{&head, &parent, &object{}, &g.content} {
		if err := json.Unmarshal([]byte(parts[1+i]), to); err != nil {
			w.t.Fatalf("%v in %q", err, parts)
		}
	}
	g.kind, g.parent = fmt.Sprint(head["msg_type"]), fmt.Sprint(parent["msg_id"])
	return g
}

func signed(key string, parts ...string) string {
	h := hmac.New(sha256.New, []byte(key))
	for _, p := range parts {
		io.WriteString(h, p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// A client is on all channels.
type client struct {
	t                            *testing.T
	c                            Connection
	shell, control, stdin, iopub wire
	n                            int
}

func connect(t *testing.T, c Connection) *client {
	t.Helper()
	x := &client{t: t, c: c}
	x.shell, x.control, x.stdin = dial(t, c.Shell, "DEALER"), dial(t, c.Control, "DEALER"), dial(t, c.Stdin, "DEALER")
	x.iopub = dial(t, c.IOPub, "SUB")
	x.iopub.write(subscribe)
	if g := x.iopub.next(c.Key); g.kind != "iopub_welcome" {
		t.Fatalf("got %s, want iopub_welcome", g.kind)
	}
	return x
}

// send sends a message, and is its id.
func (x *client) send(w wire, kind string, content any) (id string) {
	x.t.Helper()
	x.n++
	id = fmt.Sprintf("%p %d", x, x.n)
	x.sendAs(w, id, x.c.Key, kind, content)
	return id
}

func (x *client) sendAs(w wire, id, key, kind string, content any) {
	x.t.Helper()
	head, _ := json.Marshal(object{"msg_id": id, "msg_type": kind, "session": "s", "username": "u", "version": "5.4", "date": "2026-01-01T00:00:00Z"})
	body, ok := content.(string)
	if !ok {
		b, _ := json.Marshal(content)
		body = string(b)
	}
	w.write(frames("<IDS|MSG>", signed(key, string(head), "{}", "{}", body), string(head), "{}", "{}", body))
}

// published reads what is published about a request, until the kernel is idle.
func (x *client) published(id string) (list []got) {
	x.t.Helper()
	for {
		g := x.iopub.next(x.c.Key)
		if g.parent != id {
			continue
		}
		if list = append(list, g); g.kind == "status" && g.content["execution_state"] == "idle" {
			return list
		}
	}
}

// ask sends a request on shell, and is its answer and what was published of it.
func (x *client) ask(kind string, content any) (reply got, list []got) {
	x.t.Helper()
	return x.askOn(x.shell, kind, content)
}

func (x *client) askOn(w wire, kind string, content any) (reply got, list []got) {
	x.t.Helper()
	id := x.send(w, kind, content)
	reply = x.answer(w, id)
	return reply, x.published(id)
}

// answer reads answers up to the one to a request.
func (x *client) answer(w wire, id string) got {
	x.t.Helper()
	for {
		if g := w.next(x.c.Key); g.parent == id {
			return g
		}
	}
}

// run evaluates a cell.
func (x *client) run(code string) (reply got, list []got) {
	x.t.Helper()
	return x.ask("execute_request", object{"code": code, "allow_stdin": true})
}

// shows evaluates a cell and is what it printed and showed, as text.
func (x *client) shows(code string) string {
	x.t.Helper()
	_, list := x.run(code)
	return textOf(list)
}

// textOf is all text of what was published.
func textOf(list []got) string {
	var s strings.Builder
	for _, g := range list {
		switch g.kind {
		case "stream":
			s.WriteString(fmt.Sprint(g.content["text"]))
		case "display_data", "execute_result":
			s.WriteString(fmt.Sprint(g.content["data"].(object)["text/plain"]) + "\n")
		case "error":
			s.WriteString(fmt.Sprint(g.content["ename"], ": ", g.content["evalue"], "\n"))
		}
	}
	return s.String()
}

// only is the message of a kind among some; the zero message if there is none.
func only(list []got, kind string) got {
	for _, g := range list {
		if g.kind == kind {
			return g
		}
	}
	return got{}
}
