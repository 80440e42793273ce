package kernel

import (
	"encoding/json"
	"runtime"
	"strings"
)

// A channel is what a message comes on.
type channel string

const (
	shellChannel   channel = "shell"
	controlChannel channel = "control"
	stdinChannel   channel = "stdin"
)

// A message is a row: what a kernel does with one of its kind. The answer to what asks,
// an x_request, is an x_reply.
type message struct {
	kind    string
	on      channel // what it comes on; what comes on shell may come on control
	now     bool    // it does not wait for the cell that runs
	control bool    // nor does it if it came on control
	quiet   bool    // it is no work that others are told of
	ends    bool    // it is the last one that is answered
	do      func(k *kernel, m request) any
}

// messages is what clients may send.
func messages() []message {
	return []message{
		{kind: "kernel_info_request", on: shellChannel, control: true, do: (*kernel).info},
		{kind: "execute_request", on: shellChannel, do: of((*kernel).execute)},
		{kind: "complete_request", on: shellChannel, do: of((*kernel).complete)},
		{kind: "inspect_request", on: shellChannel, do: of((*kernel).inspect)},
		{kind: "is_complete_request", on: shellChannel, do: of((*kernel).isComplete)},
		{kind: "history_request", on: shellChannel, do: of((*kernel).past)},
		{kind: "comm_info_request", on: shellChannel, do: (*kernel).commInfo},
		{kind: "comm_open", on: shellChannel, do: of((*kernel).refuseComm)},
		{kind: "comm_msg", on: shellChannel, do: nothing},
		{kind: "comm_close", on: shellChannel, do: nothing},
		{kind: "connect_request", on: shellChannel, control: true, do: (*kernel).connect},
		{kind: "interrupt_request", on: shellChannel, now: true, do: (*kernel).interruptNow},
		{kind: "shutdown_request", on: shellChannel, now: true, ends: true, do: of((*kernel).shutdown)},
		{kind: "input_reply", on: stdinChannel, now: true, quiet: true, do: of((*kernel).answered)},
	}
}

// rowOf is the row of a kind of message. What is not known is answered: who asks waits.
func rowOf(kind string) message {
	for _, row := range messages() {
		if row.kind == kind {
			return row
		}
	}
	return message{kind: kind, on: shellChannel, control: true, do: func(_ *kernel, m request) any {
		return failure("Unknown", m.kind+" is not known")
	}}
}

// of is what is done with a message whose content is a C.
func of[C any](do func(k *kernel, m request, content C) any) func(*kernel, request) any {
	return func(k *kernel, m request) any {
		var content C
		if err := json.Unmarshal(m.content, &content); err != nil {
			return failure("Malformed", m.kind+": "+err.Error())
		}
		return do(k, m, content)
	}
}

func nothing(*kernel, request) any { return nil }

type status struct {
	State string `json:"execution_state"`
}

// done is the answer that says no more than that.
type done struct {
	Status string `json:"status"`
}

// A problem is an answer that says what is wrong, and what is published of a cell that
// fails.
type problem struct {
	Status    string   `json:"status"`
	Name      string   `json:"ename"`
	Value     string   `json:"evalue"`
	Traceback []string `json:"traceback"`
}

func failure(name, text string) problem {
	return problem{"error", name, text, strings.Split(text, "\n")}
}

// kernelInfo is what the kernel says of itself.
type kernelInfo struct {
	Status         string     `json:"status"`
	Protocol       string     `json:"protocol_version"`
	Implementation string     `json:"implementation"`
	Version        string     `json:"implementation_version"`
	Language       language   `json:"language_info"`
	Banner         string     `json:"banner"`
	Debugger       bool       `json:"debugger"`
	Help           []helpLink `json:"help_links"`
	Features       []string   `json:"supported_features"`
}

// language is how editors and exporters treat cells.
type language struct {
	Name       string `json:"name"`
	Version    string `json:"version"`
	MIME       string `json:"mimetype"`
	Extension  string `json:"file_extension"`
	Lexer      string `json:"pygments_lexer"`
	CodeMirror string `json:"codemirror_mode"`
}

type helpLink struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}

func (k *kernel) info(request) any {
	return kernelInfo{
		Status: "ok", Protocol: protocolVersion, Implementation: "tiler", Version: k.o.Version,
		Language: language{"go", strings.TrimPrefix(runtime.Version(), "go"), "text/x-go", ".go", "go", "go"},
		Banner:   "tile kernels in Go: a cell is Go, or commands such as :help",
		Help:     []helpLink{{"Go", "https://go.dev/doc/"}, {"tiler", "https://github.com/tiler-go/tiler"}},
		Features: []string{},
	}
}

// connect says where the kernel listens.
func (k *kernel) connect(request) any {
	return map[string]any{
		"status": "ok", "shell_port": k.c.Shell, "iopub_port": k.c.IOPub, "stdin_port": k.c.Stdin,
		"control_port": k.c.Control, "hb_port": k.c.HB,
	}
}

func (k *kernel) interruptNow(request) any {
	k.interrupt()
	return done{"ok"}
}

type shutdown struct {
	Status  string `json:"status"`
	Restart bool   `json:"restart"`
}

// shutdown ends the kernel. To restart one is to end it and to start another.
func (k *kernel) shutdown(m request, s shutdown) any {
	s.Status = "ok"
	k.publish(m.header, "shutdown_reply", s)
	return s
}

// Comms are how widgets talk to a kernel: there are none.

func (k *kernel) commInfo(request) any {
	return map[string]any{"status": "ok", "comms": map[string]any{}}
}

type comm struct {
	ID   string         `json:"comm_id"`
	Data map[string]any `json:"data"`
}

// refuseComm closes what a client opens.
func (k *kernel) refuseComm(m request, c comm) any {
	k.publish(m.header, "comm_close", comm{c.ID, map[string]any{}})
	return nil
}
