package op

import (
	"github.com/tiler-go/tiler/tilelang/cast"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// CastLoop is cast.Values as a loop of lanes.
func CastLoop(to, from dtype.DType) Loop { return casts[to][from] }

// CastRTZLoop is cast.TowardZero as a loop of lanes.
func CastRTZLoop(to, from dtype.DType) Loop { return lanesOf(cast.TowardZero(to, from)) }

// BitcastLoop is cast.Bits as a loop of lanes.
func BitcastLoop(to, from dtype.DType) Loop { return lanesOf(cast.Bits(to, from)) }

func lanesOf(f cast.Loop) Loop { return func(z, x, _, _ dtype.Buf) { f(z, x) } }

var casts = buildCasts()

func buildCasts() (t [dtype.Count][dtype.Count]Loop) {
	for to := dtype.Bool; to < dtype.Count; to++ {
		for from := dtype.Bool; from < dtype.Count; from++ {
			t[to][from] = lanesOf(cast.Values(to, from))
		}
	}
	return t
}
