package lir

import (
	"cmp"
	"slices"

	"github.com/tiler-go/tiler/exec/amd64/asm"
)

// Jump threading, and the order of loops.

// thread has blocks go on where the next one would go at once: it only jumps, or looks at a register that has just
// become a constant.
func thread(all []*block) {
	for _, b := range all {
		last := b.last()
		if last.kind == jump && last.op == asm.JMP {
			b.to = b.beyond(b.to)
			continue
		}
		b.to, b.fall = skipped(b.to), b.beyond(b.fall)
	}
}

// beyond is where b goes on at last if it goes on at t.
func (b *block) beyond(t *block) *block {
	t = skipped(t)
	if t == nil {
		return nil
	}
	code := b.code
	if len(code) > 0 && code[len(code)-1].kind == jump {
		if code[len(code)-1].op != asm.JMP {
			return t
		}
		code = code[:len(code)-1]
	}
	own := t.own()
	if len(code) == 0 || len(own) != 2 || own[0].kind != machine || own[0].op != asm.TEST || own[1].kind != jump {
		return t
	}
	set, test := code[len(code)-1], own[0]
	n, isConst := set.args[1].IsImm()
	if set.kind != machine || set.op != asm.MOV || !isConst || set.args[0].kind != regArg || set.args[0].width != 8 ||
		test.args[0] != set.args[0] || test.args[1] != set.args[0] {
		return t
	}
	switch op := own[1].op; {
	case op == asm.JE && n == 0, op == asm.JNE && n != 0:
		return skipped(t.to)
	case op == asm.JE, op == asm.JNE:
		return skipped(t.fall)
	}
	return t
}

// own is a block's instructions without its labels.
func (b *block) own() []*Inst {
	i := slices.IndexFunc(b.code, func(in *Inst) bool { return in.kind != labelMark && in.kind != loopBegin && in.kind != loopEnd })
	if i < 0 {
		return nil
	}
	return b.code[i:]
}

// skipped is the first block behind those that only jump.
func skipped(b *block) *block {
	for range 8 { // a loop without an end jumps to itself
		if b == nil || b.is&cold != 0 {
			return b
		}
		switch own := b.own(); {
		case len(own) == 0 && b.fall != nil:
			b = b.fall
		case len(own) == 1 && own[0].kind == jump && own[0].op == asm.JMP:
			b = b.to
		default:
			return b
		}
	}
	return b
}

// loopsInLine puts the blocks of each loop in a line: those that leave it behind it. All of them usually run.
func loopsInLine(order []*block) []*block {
	for i, b := range order {
		b.at = i
	}
	from, line := comeFrom(order), slices.Clone(order)
	for h, b := range slices.Backward(order) { // inner loops begin behind outer ones
		if slices.ContainsFunc(from[h], func(i int) bool { return i >= h }) {
			in := loopAt(h, from)
			first := slices.Index(line, b)
			end := len(line) - 1
			for !in[line[end].at] {
				end--
			}
			slices.SortStableFunc(line[first:end+1], func(a, b *block) int {
				return cmp.Compare(outside(in, a), outside(in, b))
			})
		}
	}
	return line
}

// loopAt is the places of a loop's blocks, that of its head given: what comes to the head from further on.
func loopAt(head int, from [][]int) map[int]bool {
	in := map[int]bool{head: true}
	for todo := slices.Clone(from[head]); len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if i >= head && !in[i] {
			in[i] = true
			todo = append(todo, from[i]...)
		}
	}
	return in
}

// outside is 1 for a block that is not of a loop.
func outside(in map[int]bool, b *block) int {
	if in[b.at] {
		return 0
	}
	return 1
}
