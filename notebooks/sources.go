package notebooks

import "embed"

// Sources is what the notebooks are made of, as Markdown, in the folder src.
//
//go:embed src/*.md
var Sources embed.FS
