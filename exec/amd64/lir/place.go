package lir

import "github.com/tiler-go/tiler/exec/amd64/asm"

// Block placement: code that is rarely reached is written behind all other, so that what usually happens is one
// straight line and jumps to nowhere else. Rare is what leaves to Go, or says so itself (BindCold).

// A block is instructions that run one after the other: only the first may be jumped to, only the last may jump.
type block struct {
	code  []*Inst
	pos   int    // of the first instruction in the unit
	fall  *block // runs next if the last instruction does not jump
	to    *block // where that jumps to
	next  *block // in memory
	at    int    // its place in memory
	is    marks
	label asm.Label
}

// marks are what is known of a block.
type marks uint8

const (
	cold    marks = 1 << iota // rarely runs
	reached                   // from the start
	warm                      // from the start, without what is cold
	usual                     // warm, and so is a way from it to the end
	named                     // label is one
)

// last is how a block ends: a jump, the end of the call, or any instruction.
func (b *block) last() *Inst {
	if len(b.code) == 0 {
		return &Inst{}
	}
	return b.code[len(b.code)-1]
}

// blocks cuts the unit's code, in order.
func (l *list) blocks() []*block {
	code := l.instructions()
	at := make([]*block, l.labels)
	store := make([]block, 0, 1+borders(code))
	first := 0
	cut := func(to int) {
		store = append(store, block{code: code[first:to], pos: first})
		b := &store[len(store)-1]
		for _, in := range b.code {
			switch {
			case in.kind == labelMark:
				at[in.n] = b
				if in.cold {
					b.is |= cold
				}
			case in.kind == callOut, in.kind == end && in.n != 0:
				b.is |= cold
			}
		}
		first = to
	}
	for i, in := range code {
		if in.kind == labelMark && i > first && code[i-1].kind != labelMark {
			cut(i)
		}
		if in.isBorder() {
			cut(i + 1)
		}
	}
	cut(len(code))
	all := make([]*block, len(store))
	for i := range store {
		b := &store[i]
		all[i] = b
		last := b.last()
		if last.kind == jump {
			b.to = at[last.n]
		}
		if i+1 < len(store) && (!last.isBorder() || last.kind == jump && last.op != asm.JMP) {
			b.fall = &store[i+1]
		}
	}
	return all
}

// isBorder reports whether a block ends with an instruction.
func (in *Inst) isBorder() bool { return in.kind == jump || in.kind == end }

// borders is how many blocks there are at most, less one.
func borders(code []*Inst) (n int) {
	for _, in := range code {
		if in.isBorder() || in.kind == labelMark {
			n++
		}
	}
	return n
}

// place puts the blocks of a unit in order: first those on a way from its start to its end that has none in it which is
// cold, then the rest. What is never reached is dropped.
func place(all []*block) (order []*block) {
	thread(all)
	mark(all[0], reached, 0)
	mark(all[0], warm, cold)
	for changed := true; changed; {
		changed = false
		for i := len(all) - 1; i >= 0; i-- {
			b := all[i]
			ends := b.last().kind == end || b.fall != nil && b.fall.is&usual != 0 || b.to != nil && b.to.is&usual != 0
			if ends && b.is&(warm|usual) == warm {
				b.is |= usual
				changed = true
			}
		}
	}
	first := usual
	if all[0].is&usual == 0 {
		first = reached
	}
	for _, b := range all {
		if b.is&first != 0 {
			order = append(order, b)
		}
	}
	if first == usual {
		order = loopsInLine(order)
	}
	for _, b := range all {
		if b.is&first == 0 && b.is&reached != 0 {
			order = append(order, b)
			for _, in := range b.code {
				in.rare = true
			}
		}
	}
	for i, b := range order[:len(order)-1] {
		b.next = order[i+1]
	}
	return order
}

// mark marks the blocks that are reached from one without some.
func mark(b *block, as, without marks) {
	for todo := []*block{b}; len(todo) > 0; {
		b, todo = todo[len(todo)-1], todo[:len(todo)-1]
		if b == nil || b.is&(as|without) != 0 {
			continue
		}
		b.is |= as
		todo = append(todo, b.fall, b.to)
	}
}

// comeFrom is from where each of the blocks that usually run, at their places, is usually come to.
func comeFrom(usually []*block) [][]int {
	from := make([][]int, len(usually))
	for i, b := range usually {
		for _, to := range []*block{b.fall, b.to} {
			if to != nil && to.is&usual != 0 {
				from[to.at] = append(from[to.at], i)
			}
		}
	}
	return from
}

// opposite is the jump that is taken where another is not.
var opposite = map[asm.Op]asm.Op{
	asm.JE: asm.JNE, asm.JNE: asm.JE, asm.JL: asm.JGE, asm.JGE: asm.JL, asm.JLE: asm.JG, asm.JG: asm.JLE,
	asm.JA: asm.JBE, asm.JBE: asm.JA, asm.JAE: asm.JB, asm.JB: asm.JAE, asm.JS: asm.JNS, asm.JNS: asm.JS,
	asm.JO: asm.JNO, asm.JNO: asm.JO, asm.JP: asm.JNP, asm.JNP: asm.JP,
}

// A way is how a block goes on: by a jump to another, or by none.
type way struct {
	op asm.Op
	to *block
}

// ways are the jumps at the end of a block. A jump to a short block that ends with a condition, the head of a loop, is
// that block again, which ahead gives, with the opposite condition.
func (b *block) ways() (ways [2]way, ahead []*Inst) {
	var behind *block
	last := b.last()
	switch {
	case last.kind == end:
		return ways, nil
	case last.kind == jump && last.op != asm.JMP && b.to == b.next:
		return [2]way{{opposite[last.op], b.fall}}, nil
	case last.kind == jump && last.op != asm.JMP:
		ways[0] = way{last.op, b.to}
		behind = b.fall
	case last.kind == jump:
		behind = b.to
	default:
		behind = b.fall
	}
	if behind == b.next {
		return ways, nil
	}
	if test, by := behind.condition(); opposite[by] != 0 && ways[0].to == nil && b.is&behind.is&usual != 0 {
		switch behind.next {
		case behind.fall:
			ways[0], ahead, behind = way{opposite[by], behind.fall}, test, behind.to
		case behind.to:
			ways[0], ahead, behind = way{by, behind.to}, test, behind.fall
		}
		if behind == b.next {
			return ways, ahead
		}
	}
	ways[1] = way{asm.JMP, behind}
	return ways, ahead
}

// condition is a block that only compares, or spends from the budget and looks at it: by its flags it jumps.
func (b *block) condition() (test []*Inst, by asm.Op) {
	own := b.own()
	if n := len(own) - 1; n == 1 && own[0].op == asm.CMP || n > 0 && own[0].spends() && (n == 1 || n == 2 && own[1].kind == dropped) {
		return own[:1], own[n].op
	}
	return nil, 0
}

// emit writes blocks.
func (f *finisher) emit(order []*block) {
	for _, b := range order {
		ways, _ := b.ways()
		for _, w := range ways {
			if w.to != nil && w.to.is&named == 0 {
				w.to.label = f.asm.NewLabel()
				w.to.is |= named
			}
		}
	}
	for _, b := range order {
		if b.is&named != 0 {
			f.asm.Bind(b.label)
			f.held = [16]Reg{}
		}
		for i, in := range b.code {
			f.inst(b.pos+i, in)
		}
		ways, ahead := b.ways()
		for _, in := range ahead {
			f.inst(0, in)
		}
		for _, w := range ways {
			if w.to != nil {
				f.asm.SetTag(b.last().tag)
				f.asm.Emit(w.op, asm.To(w.to.label))
			}
		}
	}
}
