package nb

import (
	"os"
	"slices"
	"time"
)

// drain waits until the notebook has read what this program has printed. Prints and
// pictures reach it in different ways, and whatever comes first is shown first.
func drain() {
	if inNotebook() {
		whenRead(os.Stdout, os.Stderr)
	}
}

// whenRead waits until gonb has read what was written to files, if these are pipes.
func whenRead(files ...*os.File) {
	hasUnread := func(f *os.File) bool { return unread(f) > 0 }
	const most = 200 * time.Millisecond
	waited := false
	for began := time.Now(); time.Since(began) < most; time.Sleep(200 * time.Microsecond) {
		if !slices.ContainsFunc(files, hasUnread) {
			break
		}
		waited = true
	}
	// The last bytes are read but perhaps not yet on their way. Nothing tells; this is many
	// times what it takes.
	pause := time.Millisecond
	if waited {
		pause = 3 * time.Millisecond
	}
	time.Sleep(pause)
}
