package cpu

import "sync"

// Tiles reports whether code may use tile registers for products that the processor announces as kind, HasAMXINT8
// or HasAMXBF16. Unlike other registers they take a permission, which the operating system gives to the process for
// good, and which makes the frames of its signals larger by the 8 KiB of the tiles, on threads that have used them: it
// is asked for when this is first called, so that only programs that want tiles pay for them. Code with tiles has
// AVX-512 beside them: where that is switched off, there are none.
func Tiles(kind Features) bool {
	return AVX512.Features().Has(HasAMXTILE|kind) && tilesAllowed()
}

var tilesAllowed = sync.OnceValue(allowTiles)
