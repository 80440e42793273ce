//go:build js || wasip1

package script

import "os"

// endings: nobody sends WebAssembly signals.
var endings []os.Signal
