package main

import (
	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/exec/shard"
)

// runMerge puts the lines of shards together: what the command itself prints with -json.
func runMerge(e cli.Env, args []string) int {
	if len(args) == 0 {
		return e.Usage()
	}
	texts := map[string][]byte{}
	for _, name := range args {
		text, err := readFile(e, name)
		if err != nil {
			return e.Fail(err)
		}
		texts[name] = []byte(text)
	}
	failed, err := shard.Merge(e.Out, texts)
	if err != nil {
		return e.Fail(err)
	}
	return map[bool]int{true: 1}[failed]
}
