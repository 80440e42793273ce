package layout

// A stretch is what one instance reads at a place, tile by tile, each beginning where the
// one before ends.
type stretch struct {
	instance   uint32
	start, end int64
	broken     bool // a tile began elsewhere
}

// apart reports whether two instances' stretches begin in one column of two rows, and
// overlap.
func (s stretch) apart(o stretch, row int64) bool {
	apart, span := max(s.start-o.start, o.start-s.start), o.end-o.start
	if s.broken || o.broken || o.instance == 0 {
		return false
	}
	return apart > 0 && apart%row == 0 && apart < span && span%row != 0
}

// Stretches is those of the running instance, and of the one before.
type Stretches struct{ now, last stretch }

// Extend goes on with the running instance's stretch, and reports whether it and the
// last instance's are rows.
func (s *Stretches) Extend(instance uint32, begin, end, row int64) bool {
	switch now := &s.now; {
	case now.instance != instance:
		s.last, *now = *now, stretch{instance: instance, start: begin, end: end}
	case begin != now.end:
		now.broken = true
	default:
		now.end = end
	}
	return s.now.apart(s.last, row)
}
