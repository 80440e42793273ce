package lir

import "slices"

// Checked, if a test sets it, sees units before they become machine code.
var Checked func(u *Unit)

// Undefined is how many general registers some way through the unit reads before an instruction has written them: code
// that is written between jumps, and read where these come together, gives such. Vectors are computed where a condition
// holds, and read where it holds again.
func (u *Unit) Undefined() (n int) {
	all := u.blocks()
	mark(all[0], reached, 0)
	wanted := map[*block]map[Reg]bool{} // at their begin
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(all) {
			if b.is&reached == 0 {
				continue
			}
			want := map[Reg]bool{}
			for _, next := range []*block{b.fall, b.to} {
				for r := range wanted[next] {
					want[r] = true
				}
			}
			for _, in := range slices.Backward(b.code) {
				in.writes(func(r Reg) { delete(want, r) })
				in.reads(func(r Reg) {
					if u.classes[r] == GPR {
						want[r] = true
					}
				})
			}
			changed = changed || len(want) != len(wanted[b])
			wanted[b] = want
		}
	}
	return len(wanted[all[0]])
}
