package cpu

import "sync"

// Tiles reports whether code may use tile registers for products of bytes. Unlike other registers they take a
// permission, which the operating system gives to the process for good, and which makes the frames of its signals
// larger by the 8 KiB of the tiles, on threads that have used them: it is asked for when this is first
// called, so that only programs that want tiles pay for them.
func Tiles() bool {
	return Detected().Has(HasAMXTILE|HasAMXINT8) && tilesAllowed()
}

var tilesAllowed = sync.OnceValue(allowTiles)
