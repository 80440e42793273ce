package codemem

import (
	"fmt"
	"runtime"
)

// Supported reports whether this platform has executable memory; without it Alloc and Write fail.
const Supported = archSupported && memSupported

// RecoversFaults reports whether Protect turns memory faults in generated code into errors. On Windows the runtime
// ends the process for a fault outside Go code.
const RecoversFaults = Supported && runtime.GOOS != "windows"

var errNotSupported = fmt.Errorf("codemem: no executable memory on %s/%s", runtime.GOOS, runtime.GOARCH)
