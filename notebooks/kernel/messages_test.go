package kernel

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// answers is what each message is answered with, on a session in which x is 3: pieces of
// the answer's content.
var answers = map[string]struct {
	content any
	want    []string
}{
	"kernel_info_request": {object{}, []string{"status:ok", "protocol_version:5.4", "pygments_lexer:go", "implementation:tiler", "banner:"}},
	"execute_request":     {object{"code": "x + 1", "user_expressions": object{"y": "x * 2", "z": "nope"}}, []string{"status:ok", "execution_count:2", "payload:[]", "text/plain:6", "ename:Error"}},
	"complete_request":    {object{"code": "é := tl.Ara", "cursor_pos": 11}, []string{"matches:[Arange]", "cursor_start:8", "cursor_end:11", "_jupyter_types_experimental"}},
	"inspect_request":     {object{"code": "tl.Load(x, ", "cursor_pos": 11, "detail_level": 0}, []string{"found:true", "func Load(", "text/html:<div"}},
	"is_complete_request": {object{"code": "for {"}, []string{"status:incomplete", "indent:\t"}},
	"history_request":     {object{"hist_access_type": "tail", "n": 5, "output": true}, []string{"history:[[1 1 [x := 3 <nil>]]]"}},
	"comm_info_request":   {object{}, []string{"comms:map[]"}},
	"comm_open":           {object{"comm_id": "c1", "target_name": "widget", "data": object{}}, nil},
	"comm_msg":            {object{"comm_id": "c1", "data": object{}}, nil},
	"comm_close":          {object{"comm_id": "c1", "data": object{}}, nil},
	"connect_request":     {object{}, []string{"shell_port:", "hb_port:"}},
	"interrupt_request":   {object{}, []string{"status:ok"}},
	"shutdown_request":    {object{"restart": true}, []string{"status:ok", "restart:true"}},
	"input_reply":         {object{"value": "nobody asked"}, nil},
	"debug_request":       {object{"command": "initialize"}, []string{"status:error", "debug_request is not known"}},
}

// TestMessages: every kind of message is answered, and the kernel is busy and then idle.
func TestMessages(t *testing.T) {
	for _, row := range append(messages(), rowOf("debug_request")) {
		t.Run(row.kind, func(t *testing.T) {
			c, known := answers[row.kind]
			if !known {
				t.Fatal("the table of answers lacks it")
			}
			x := connect(t, start(t))
			x.run("x := 3")
			w := map[channel]wire{shellChannel: x.shell, stdinChannel: x.stdin}[row.on]
			id := x.send(w, row.kind, c.content)
			if strings.HasSuffix(row.kind, "_request") {
				reply := x.answer(w, id)
				if want := strings.Replace(row.kind, "_request", "_reply", 1); reply.kind != want {
					t.Errorf("got %s, want %s", reply.kind, want)
				}
				for _, part := range c.want {
					if !strings.Contains(reply.text(), part) {
						t.Errorf("no %q in %s", part, reply.text())
					}
				}
			}
			if row.quiet {
				return
			}
			list := x.published(id)
			if list[0].text() != "map[execution_state:busy]" {
				t.Errorf("%s begins with %v", row.kind, list[0])
			}
			also := map[string]string{"comm_open": "comm_close", "shutdown_request": "shutdown_reply", "execute_request": "execute_result"}[row.kind]
			if also != "" && only(list, also).kind == "" {
				t.Errorf("no %s is published: %v", also, list)
			}
		})
	}
}

// TestControl: on the control channel answers do not wait for the cell that runs.
func TestControl(t *testing.T) {
	x := connect(t, start(t))
	cell := x.send(x.shell, "execute_request", object{"code": "for {}"})
	for !strings.Contains(fmt.Sprint(x.iopub.next(x.c.Key)), "execute_input") {
	}
	if reply, _ := x.askOn(x.control, "kernel_info_request", object{}); reply.content["status"] != "ok" {
		t.Errorf("got %v", reply)
	}
	x.askOn(x.control, "interrupt_request", object{})
	if reply := x.answer(x.shell, cell); reply.content["ename"] != "Interrupted" {
		t.Errorf("got %v", reply)
	}
	id := x.send(x.control, "execute_request", object{"code": "1 + 1"}) // it waits as on shell
	if reply := x.answer(x.control, id); reply.content["status"] != "ok" {
		t.Errorf("got %v", reply)
	}
}

// TestOutputs: what a cell prints and shows comes in order, the last value as its result.
func TestOutputs(t *testing.T) {
	x := connect(t, start(t))
	_, list := x.run("fmt.Println(\"a\")\n:heat tl.Arange(0, 2)\nprintln(\"b\")\n7")
	var kinds []string
	for _, g := range list {
		kinds = append(kinds, g.kind)
	}
	want := []string{"status", "execute_input", "stream", "display_data", "stream", "execute_result", "status"}
	if !slices.Equal(kinds, want) {
		t.Fatalf("got %v, want %v", kinds, want)
	}
	if list[2].content["name"] != "stdout" || list[4].content["name"] != "stderr" {
		t.Errorf("streams: %v, %v", list[2], list[4])
	}
	if r := list[5].content; r["execution_count"] != 1.0 || r["data"].(object)["text/plain"] != "7" {
		t.Errorf("result: %v", r)
	}
	if html := fmt.Sprint(list[3].content["data"].(object)["text/html"]); !strings.Contains(html, "<td") {
		t.Errorf("no table in %s", html)
	}
}

// TestErrors: positions are those of the notebook's cells, and no file of anybody's is named.
func TestErrors(t *testing.T) {
	x := connect(t, start(t))
	for _, c := range []struct{ code, want string }{
		{"a := 1\ntl.Aranje(0, a)", "Error: In[1]:2:4: undefined: tl.Aranje (did you mean tl.Arange?)"},
		{"var m map[string]int\n\nm[\"x\"] = 1", "Panic: In[2]:3: panic: assignment to entry in nil map"},
		{":check nothing", "Error: there is no nothing"},
		{"7 // 2", "Error: In[4]:1:"},
		{"fmt.Println(1)\n:time tl.Aranje(0, 2)", "Error: In[5]:2:4: undefined: tl.Aranje"},
		{"func k(p *tl.Program, x tl.Ptr) {\n\ttl.Store(x.Add(9), 1)\n}", ""},
		{"exec.New(k).Launch(exec.Grid{1}, tensor.Zeros(tl.Int32, 3))", "In[6]:2: tl.Store: out of bounds"},
		{"1 +", "Error: In[8]:1:"},
		{":check k[1](tensor.Zeros(tl.Int32, 3))", "check k on grid (1): FAILED"},
	} {
		reply, list := x.run(c.code)
		if got := textOf(list); !strings.Contains(got, c.want) || strings.Contains(got, ".go") {
			t.Errorf("%s\ngives %s\nwant  %s", c.code, got, c.want)
		}
		if only(list, "error").kind != "" != (reply.content["status"] == "error") {
			t.Errorf("%s: reply %v, published %v", c.code, reply, list)
		}
	}
}

// TestSilent: a silent cell publishes and counts nothing; an empty one is no cell.
func TestSilent(t *testing.T) {
	x := connect(t, start(t))
	for _, content := range []object{
		{"code": "s := 5\nfmt.Println(s)\ns", "silent": true},
		{"code": " \n", "silent": false},
		{"code": "nope()", "silent": true},
	} {
		reply, list := x.ask("execute_request", content)
		if reply.content["execution_count"] != 0.0 || only(list, "stream").kind+only(list, "execute_result").kind+only(list, "error").kind != "" {
			t.Errorf("%v: reply %v, published %v", content, reply, list)
		}
	}
	if got := x.shows("s"); got != "5\n" {
		t.Errorf("got %q", got)
	}
}

// TestAbort: cells that were sent before one failed are not run, unless it says that it may
// fail; other requests are answered.
func TestAbort(t *testing.T) {
	x := connect(t, start(t))
	x.run("n := 0")
	send := func(code string, stop bool) string {
		return x.send(x.shell, "execute_request", object{"code": code, "stop_on_error": stop})
	}
	first := send("time.Sleep(300 * time.Millisecond)\npanic(1)", true)
	second, info, third := send("n = 1", true), x.send(x.shell, "kernel_info_request", object{}), send("n = 2", true)
	for _, c := range []struct{ id, status string }{{first, "error"}, {second, "aborted"}, {info, "ok"}, {third, "aborted"}} {
		if reply := x.answer(x.shell, c.id); reply.content["status"] != c.status {
			t.Errorf("got %v, want %s", reply, c.status)
		}
	}
	send("time.Sleep(100 * time.Millisecond)\npanic(1)", false)
	last := send("n", true)
	if reply := x.answer(x.shell, last); reply.content["status"] != "ok" {
		t.Errorf("got %v", reply)
	}
	if got := x.shows("n"); got != "0\n" {
		t.Errorf("n is %s", got)
	}
}

// TestInput: what a cell reads is asked of its client, and an interrupt ends that.
func TestInput(t *testing.T) {
	x := connect(t, start(t))
	cell := x.send(x.shell, "execute_request", object{"code": "var word string\nfmt.Scanln(&word)\nword", "allow_stdin": true})
	if g := x.stdin.next(x.c.Key); g.kind != "input_request" || g.parent != cell {
		t.Fatalf("got %v, want input_request", g)
	}
	x.send(x.stdin, "input_reply", object{"value": "hello"})
	if got := textOf(x.published(cell)); !strings.Contains(got, "hello") {
		t.Errorf("got %q", got)
	}
	cell = x.send(x.shell, "execute_request", object{"code": "fmt.Scanln(&word)", "allow_stdin": true})
	x.stdin.next(x.c.Key)
	x.askOn(x.control, "interrupt_request", object{})
	if reply := x.answer(x.shell, cell); reply.content["ename"] != "Interrupted" {
		t.Errorf("got %v", reply)
	}
	_, list := x.ask("execute_request", object{"code": "_, err := fmt.Scanln(&word)\nerr", "allow_stdin": false})
	if got := textOf(list); !strings.Contains(got, "nobody can be asked") {
		t.Errorf("got %q", got)
	}
}

// TestHistory: past cells are found by number, by pattern, and from the end.
func TestHistory(t *testing.T) {
	x := connect(t, start(t))
	for _, code := range []string{"a := 1", "a", "a/2", "a"} {
		x.run(code)
	}
	for _, c := range []struct {
		request object
		want    string
	}{
		{object{"hist_access_type": "range", "session": 0, "start": 1, "stop": 3}, "[[1 1 a := 1] [1 2 a]]"},
		{object{"hist_access_type": "range", "session": -1, "start": 1}, "[]"},
		{object{"hist_access_type": "tail", "n": 1, "output": true}, "[[1 4 [a 1]]]"},
		{object{"hist_access_type": "search", "pattern": "a*", "n": 2, "unique": true}, "[[1 3 a/2] [1 4 a]]"},
		{object{"hist_access_type": "search", "pattern": "?/2"}, "[[1 3 a/2]]"},
	} {
		if reply, _ := x.ask("history_request", c.request); fmt.Sprint(reply.content["history"]) != c.want {
			t.Errorf("%v gives %v, want %s", c.request, reply.content["history"], c.want)
		}
	}
}

// TestEditing: completion and inspection in cells of commands and Go, places in characters.
func TestEditing(t *testing.T) {
	x := connect(t, start(t))
	x.run("höhe := tl.Arange(0, 4)\nfunc twice(p *tl.Program, x tl.Ptr) {}")
	at := func(code string) object { // | is the cursor
		before, after, _ := strings.Cut(code, "|")
		return object{"code": before + after, "cursor_pos": characters(before)}
	}
	for _, c := range []struct{ code, want string }{
		{"höh|", "matches:[höhe]"},
		{":kernels\ntl.Aran|\n:vars", "matches:[Arange]"},
		{"höhe\n:prom|", "cursor_start:5"},
		{":promote tw|", "matches:[twice]"},
		{"tl.Arange(|", "matches:[]"},
		{"|", "status:ok"},
	} {
		began := time.Now()
		reply, _ := x.ask("complete_request", at(c.code))
		if !strings.Contains(reply.text(), c.want) {
			t.Errorf("%q gives %v, want %s", c.code, reply.content, c.want)
		}
		t.Logf("%q took %v", c.code, time.Since(began))
	}
	for _, c := range []struct{ code, want string }{
		{"höhe|", "var höhe tl.Tile"}, {"tl.Store(höhe.Add(1), tl.Lo|ad(höhe))", "func Load("},
		{"tl.Sum(nope(3)|)", "func Sum("}, {":check| twice", "sanitizer"}, {"tl|.Sum", "package"}, {"nope|", "found:false"}, {"|", "found:false"},
	} {
		if reply, _ := x.ask("inspect_request", at(c.code)); !strings.Contains(reply.text(), c.want) {
			t.Errorf("%q gives %v, want %s", c.code, reply.content, c.want)
		}
	}
	for code, want := range map[string]string{"1": "complete", "func f() {": "incomplete", ":check twice": "complete", "": "complete", ":vars\nif true {": "incomplete"} {
		if reply, _ := x.ask("is_complete_request", object{"code": code}); reply.content["status"] != want {
			t.Errorf("%q is %v, want %s", code, reply.content, want)
		}
	}
}
