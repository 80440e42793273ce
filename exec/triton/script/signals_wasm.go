//go:build js || wasip1

package script

import "os"

// Nobody sends WebAssembly signals.
var endings, hangups []os.Signal
