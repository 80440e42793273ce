package elementwise

import (
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
)

// Casts converts lanes to other types of elements, some of them in Go.
type Casts struct {
	*lane.Memory
	// Aside writes a call out to Go, which runs f; rarely says that code hardly ever comes there.
	Aside func(what string, rarely bool, f func(*frame.Frame))
}

// Primitives is Casts, and has the operations that others are made of.
type Primitives struct{ *Casts }

// A Builder writes operations on blocks of lanes.
type Builder struct {
	*Primitives
	Data []Data // constant tables
}

// New writes code for a tier, which keeps no constants and calls nothing out.
func New(t *lir.Tier) *Builder {
	return &Builder{Primitives: &Primitives{&Casts{Memory: lane.New(t)}}}
}

// Data is constants that code expects in the frame.
type Data struct {
	Off   int
	Bytes []byte
}
