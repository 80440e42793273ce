// Package notebooks has the tutorials, for programs that give them out.
package notebooks

import "embed"

// Files is the notebooks.
//
//go:embed *.ipynb
var Files embed.FS
