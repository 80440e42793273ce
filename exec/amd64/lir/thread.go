package lir

import (
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

// loopsInLine puts the blocks of each loop in a line: those that leave it behind it.
func loopsInLine(order []*block) []*block {
	at := map[*block]int{}
	for i, b := range order {
		at[b] = i
	}
	from := make([][]int, len(order))
	var heads []int
	for i, b := range order {
		for _, t := range []*block{b.fall, b.to} {
			j, usual := at[t]
			if t == nil || !usual {
				continue
			}
			from[j] = append(from[j], i)
			if j <= i && !slices.Contains(heads, j) {
				heads = append(heads, j)
			}
		}
	}
	slices.SortFunc(heads, func(a, b int) int { return b - a }) // inner loops begin behind outer ones
	line := slices.Clone(order)
	for _, h := range heads {
		in := map[*block]bool{order[h]: true}
		var todo []int
		for _, i := range from[h] {
			if i >= h {
				todo = append(todo, i)
			}
		}
		for len(todo) > 0 {
			i := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if i < h || in[order[i]] {
				continue
			}
			in[order[i]] = true
			todo = append(todo, from[i]...)
		}
		first := slices.Index(line, order[h])
		end := first
		for i, b := range line {
			if in[b] {
				end = max(end, i)
			}
		}
		slices.SortStableFunc(line[first:end+1], func(a, b *block) int {
			switch {
			case in[a] == in[b]:
				return 0
			case in[a]:
				return -1
			}
			return 1
		})
	}
	return line
}
