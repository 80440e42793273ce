package gemm

import (
	"testing"
	"time"
)

// TestTilesTrial: both kernels are tried, whole strips at a time, and the faster one goes on
// until the next trial. What comes in between once makes no difference.
func TestTilesTrial(t *testing.T) {
	var trial tilesTrial
	for round := range 4 {
		used := [NumTilesKernels]int{}
		for range trialEvery {
			k := trial.next()
			used[k]++
			took := time.Duration(100 * (1 + (k+round)%2)) // each is the faster one in its turn
			if used[k] == 1 {
				took *= 10
			}
			trial.took(k, took, 100)
		}
		best := round % 2
		if want := trialEvery - trialCalls/2; used[best] != want {
			t.Errorf("round %d: the faster kernel multiplies %d strips, want %d", round, used[best], want)
		}
	}
}
