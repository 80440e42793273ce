package sanitizer

import "github.com/tiler-go/tiler/exec/check/layout"

// The signs of lanes in pictures.
const (
	signActive   = 'o'
	signMasked   = '·'
	signBad      = 'X' // outside the tensor, or else what the finding is about
	signWrongRow = '»'
	signUndef    = '?'
)

// picture is the tile around a lane as text: o active, · masked off, and those that are bad
// with the sign of the finding.
func (w *visitor) picture(lane int, sign rune, bad func(i int) bool) string {
	return layout.Picture(w.a.Shape, lane, func(i int) rune {
		switch {
		case bad(i):
			return sign
		case w.on(i):
			return signActive
		}
		return signMasked
	})
}
