package sanitizer

import (
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// Written reports whether anything was written through a pointer that Pointer made.
func (c *seen) Written(p tl.Ptr) bool {
	v := c.views[p.Base()]
	return v != nil && v.written
}

// Stored reports whether there was a store through a pointer that Pointer made, and not
// atomics alone.
func (c *seen) Stored(p tl.Ptr) bool {
	v := c.views[p.Base()]
	return v != nil && v.output.kind == tl.Stores
}

// Loaded reports whether anything was loaded through a pointer that Pointer made.
func (c *seen) Loaded(p tl.Ptr) bool {
	v := c.views[p.Base()]
	return v != nil && v.output.loads
}

// Updates reports whether there were atomics.
func (c *Checker) Updates() bool { return c.updates }

// Directing is the tensors whose elements became addresses, masks or Go values.
func (c *Checker) Directing() tl.Sources { return c.directing }

// Writer is the program that last wrote an element, and where.
func (c *Checker) Writer(p tl.Ptr, off int) (pid []int, pos diag.Pos, ok bool) {
	v := c.views[p.Base()]
	if v == nil || !v.inside(int64(off)) {
		return nil, pos, false
	}
	e := v.cell(int64(off))
	who := e.Write
	if who == 0 {
		who = e.Atomic
	}
	if who == 0 {
		return nil, pos, false
	}
	who = c.past.Owner(who)
	s := c.order[e.WrittenAt()]
	return c.pid(who), diag.Pos{File: s.key.file, Line: s.key.line}, true
}
