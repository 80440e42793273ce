package main

import (
	"github.com/tiler-go/tiler/exec/shard"
)

// runMerge puts the lines of shards together: what the command itself prints with -json.
func runMerge(e env, args []string) int {
	if len(args) == 0 {
		return e.usage("merge")
	}
	texts := map[string][]byte{}
	for _, name := range args {
		text, err := e.readFile(name)
		if err != nil {
			return e.fail(err)
		}
		texts[name] = []byte(text)
	}
	failed, err := shard.Merge(e.out, texts)
	if err != nil {
		return e.fail(err)
	}
	return map[bool]int{true: 1}[failed]
}
