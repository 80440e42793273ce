package tilelang

// Promises. A compiler that believes them wrongly computes wrongly; here they are
// checked by Check and otherwise change nothing.

// MultipleOf is x, promised to start at a multiple of n.
func MultipleOf(x Tile, n ...int) Tile { return promise("tl.MultipleOf", x, n, brokenMultiple) }

// MaxContiguous is x, promised to ascend by one within runs of n.
func MaxContiguous(x Tile, n ...int) Tile {
	return promise("tl.MaxContiguous", x, n, brokenRun(1))
}

// MaxConstancy is x, promised to be equal within runs of n.
func MaxConstancy(x Tile, n ...int) Tile { return promise("tl.MaxConstancy", x, n, brokenRun(0)) }

// Assume promises that cond, a bool tile or Go bool, holds.
func Assume(cond any) {
	t := condition("tl.Assume", "condition", cond)
	if m := t.watched(); m != nil && m.watch != nil {
		checkAssumption(t, m)
	}
}

// DebugBarrier orders what the lanes of a program do in memory. Here they are in order
// anyway: only a check asks for it.
func DebugBarrier() {
	if watching.Load() > 0 {
		barriers.Add(1)
	}
}

// StaticAssert stops the kernel if cond, known before it runs, is false.
func StaticAssert(cond bool, message string) {
	if !cond {
		fault("tl.StaticAssert", "%s", message).raise()
	}
}
