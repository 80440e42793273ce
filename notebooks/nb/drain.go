package nb

import (
	"os"
	"time"
)

// drain waits until the notebook has read what this program has printed. Prints and
// pictures reach it in different ways, and whatever comes first is shown first.
func drain() {
	if !inNotebook() {
		return
	}
	const most = 200 * time.Millisecond
	printed := false
	for began := time.Now(); time.Since(began) < most; time.Sleep(200 * time.Microsecond) {
		if unread(os.Stdout) == 0 && unread(os.Stderr) == 0 {
			break
		}
		printed = true
	}
	// The last bytes are read but perhaps not yet on their way. Nothing tells; this is many
	// times what it takes.
	pause := time.Millisecond
	if printed {
		pause = 3 * time.Millisecond
	}
	time.Sleep(pause)
}
