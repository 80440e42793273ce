package shadow

import tl "github.com/tiler-go/tiler/tilelang"

// A Cell is the shadow of one element: segments of instances, by number, and the sites of
// their accesses. At most 16 bytes for each element.
type Cell struct {
	Write  uint32 // the last that wrote it
	Read   uint32 // one that read it since, and whether other instances did
	Atomic uint32 // the last that updated it since, and whether other instances did
	sites  uint32 // of the last write or update, low; of the last read, high
}

// WrittenAt is the site of the last write or update.
func (p *Cell) WrittenAt() uint32 { return p.sites & 0xffff }

// ReadAt is the site of the last read.
func (p *Cell) ReadAt() uint32 { return p.sites >> 16 }

// Written reports whether anybody wrote or updated the element.
func (p *Cell) Written() bool { return p.Write|p.Atomic != 0 }

// others is set in a cell's Read or Atomic if several instances did so.
const others = 1 << 31

// Alone enters loads of cells up to the first that anybody has written or updated, or
// stores up to the first that another instance has come to, and returns how many.
func (h *Order) Alone(kind tl.AccessKind, cells []Cell, site uint32) int {
	for k := range cells {
		p := &cells[k]
		switch {
		case kind == tl.Loads && !p.Written():
			h.Read(p, site)
		case kind == tl.Stores && p.Atomic|p.Read&others == 0 && !h.another(p.Read) && !h.another(p.Write):
			h.Write(p, site)
		default:
			return k
		}
	}
	return len(cells)
}

// Read enters a load.
func (h *Order) Read(p *Cell, site uint32) {
	if h.another(p.Read &^ others) {
		p.Read |= others
	} else {
		p.Read = p.Read&others | h.segment
	}
	p.sites = p.sites&0xffff | site<<16
}

// Write enters a store: what came before is before it, or was reported.
func (h *Order) Write(p *Cell, site uint32) {
	p.Write, p.Read, p.Atomic = h.segment, 0, 0
	p.sites = p.sites&^0xffff | site
}

// Update enters an atomic: alone says that it is on this element and no others, which orders what instances do.
func (h *Order) Update(p *Cell, site uint32, alone bool) {
	if alone {
		h.synchronise(p)
	}
	if p.Atomic&others != 0 || h.another(p.Atomic) {
		p.Atomic = h.segment | others
	} else {
		p.Atomic = h.segment
	}
	p.sites = p.sites&^0xffff | site
}

// another reports whether a segment is one of another instance.
func (h *Order) another(segment uint32) bool {
	return segment != 0 && h.owner[segment] != h.owner[h.segment]
}
