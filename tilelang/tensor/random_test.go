package tensor

import (
	"math"
	"testing"
)

func TestQuantile(t *testing.T) {
	for _, k := range []int64{0, 1, 1 << 20, 1 << 40, 1 << 50, 1<<51 - 1, 1 << 51, 1<<52 - 1, 1<<52 - 2, 1<<52 - 1000, -1, -1 << 52} {
		v := quantile(k)
		p := 0.5 * math.Erfc(v/math.Sqrt2)
		want := (float64(1<<52-1-k) + 0.5) * 0x1p-53
		t.Log(k, v, p, want, p/want-1)
	}
}
