package frontend

// snapshot is what a retry restores.
type snapshot struct {
	emitter // a copy: the cursor fields are used
	values  int
	outer   int // values of the block around a combining function
}

func (l *emitter) snapshot() snapshot {
	s := snapshot{emitter: *l, values: len(l.block.Values)}
	if l.lane != nil {
		s.outer = len(l.lane.outer.Values)
	}
	return s
}

func (l *emitter) restore(s snapshot) {
	l.undo(len(s.journal))
	l.forget(len(s.memoLog))
	l.block, l.pos, l.frame, l.lane = s.block, s.pos, s.frame, s.lane
	l.diags = l.diags[:len(s.diags)]
	l.block.Values = l.block.Values[:s.values]
	if l.lane != nil {
		l.lane.outer.Values = l.lane.outer.Values[:s.outer]
	}
}
