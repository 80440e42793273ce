// Package notebooks has the tutorials, for programs that give them out.
package notebooks

import "embed"

// Files is the notebooks; in gonb those whose cells are compiled.
//
//go:embed *.ipynb gonb/*.ipynb
var Files embed.FS
