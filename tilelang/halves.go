package tilelang

import "sync"

// large is from how many steps on it pays to share them with another core.
const large = 1 << 17

// inHalves does n rows, of so many steps together, in two halves at the same time if they
// are large and their launch is watched: its programs run one after the other, on one
// core. What a row becomes does not depend on the others.
func inHalves(n, steps int, do func(lo, hi int)) {
	if watching.Load() == 0 || steps < large || n < 2 {
		do(0, n)
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { do(n/2, n) })
	do(0, n/2)
	wg.Wait()
}
