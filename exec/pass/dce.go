package pass

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
)

// dce drops pure values that nothing uses, and carried values of loops whose only use
// is to be carried on.
func dce(f *ir.Func) {
	for dropCarried(f) {
	}
	live := make([]bool, f.NumIDs()) // by ID
	var mark func(v *ir.Value)
	mark = func(v *ir.Value) {
		if live[v.ID] {
			return
		}
		live[v.ID] = true
		for _, a := range v.Args {
			mark(a)
		}
	}
	f.Walk(func(b *ir.Block) {
		for _, v := range b.Values {
			if !v.Pure() || v.IsTerm() || v.IsControl() {
				mark(v)
			}
		}
	})
	f.Walk(func(b *ir.Block) {
		kept := b.Values[:0]
		for _, v := range b.Values {
			if live[v.ID] {
				kept = append(kept, v)
			}
		}
		b.Values = kept
	})
}

// dropCarried removes one round's worth of Fors' carried values that are neither used
// in the body, but to be passed on unchanged, nor behind the loop.
func dropCarried(f *ir.Func) (changed bool) {
	used := make([]int, f.NumIDs()) // by ID
	f.Values(func(v *ir.Value) {
		for _, a := range v.Args {
			used[a.ID]++
		}
	})
	results := map[*ir.Value]map[int]bool{}
	f.Values(func(v *ir.Value) {
		if v.Op == ir.Result && used[v.ID] > 0 {
			if results[v.Args[0]] == nil {
				results[v.Args[0]] = map[int]bool{}
			}
			results[v.Args[0]][v.Index] = true
		}
	})
	f.Walk(func(b *ir.Block) {
		for _, v := range b.Values {
			if v.Op != ir.For {
				continue
			}
			for i := len(v.Results) - 1; i >= 0; i-- {
				arg := v.Blocks[0].Args[1+i]
				next := v.Blocks[0].Term().Args[i]
				uses := used[arg.ID]
				if next == arg {
					uses--
				}
				if !results[v][i] && (uses == 0 || onlyFeeds(arg, next, used)) {
					removeCarried(f, v, i)
					changed = true
				}
			}
			if changed {
				return
			}
		}
	})
	return changed
}

// onlyFeeds reports whether arg is used once, by next, which is used once, to be
// carried.
func onlyFeeds(arg, next *ir.Value, used []int) bool {
	if used[arg.ID] != 1 || used[next.ID] != 1 || !next.Pure() {
		return false
	}
	for _, a := range next.Args {
		if a == arg {
			return true
		}
	}
	return false
}

// removeCarried takes carried value i out of a For; its Results have no users.
func removeCarried(f *ir.Func, v *ir.Value, i int) {
	b := v.Blocks[0]
	term := b.Term()
	arg := b.Args[1+i]
	if next := term.Args[i]; next != arg && slices.Contains(next.Args, arg) { // its only user, so that it goes with it
		b.Values = slices.DeleteFunc(b.Values, func(w *ir.Value) bool { return w == next })
	}
	v.Args = append(v.Args[:2+i:2+i], v.Args[3+i:]...)
	v.Results = append(v.Results[:i:i], v.Results[i+1:]...)
	b.Args = append(b.Args[:1+i:1+i], b.Args[2+i:]...)
	term.Args = append(term.Args[:i:i], term.Args[i+1:]...)
	f.Walk(func(b *ir.Block) {
		kept := b.Values[:0]
		for _, w := range b.Values {
			if w.Op == ir.Result && w.Args[0] == v {
				if w.Index == i {
					continue
				}
				if w.Index > i {
					w.Index--
				}
			}
			kept = append(kept, w)
		}
		b.Values = kept
	})
}
