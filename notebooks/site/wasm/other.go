//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "this program runs in a browser: tiler play compiles it, and opens the page")
	os.Exit(1)
}
