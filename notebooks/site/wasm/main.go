//go:build js

// Command wasm is the prompt in a worker of the page: it hands the worker's messages to
// package play, and the answers back.
package main

import (
	"encoding/json"
	"syscall/js"

	"github.com/tiler-go/tiler/notebooks/site/play"
)

func main() {
	worker := js.Global()
	requests := make(chan string, 16)
	server := play.New(func(a play.Answer) {
		text, err := json.Marshal(a)
		if err != nil {
			panic(err) // numbers, strings and lists can always be encoded
		}
		worker.Call("postMessage", string(text))
	})
	worker.Set("tilerRequest", js.FuncOf(func(_ js.Value, args []js.Value) any {
		requests <- args[0].String()
		return nil
	}))
	worker.Call("postMessage", `{"ready":true}`)
	for r := range requests {
		server.Handle([]byte(r))
	}
}
