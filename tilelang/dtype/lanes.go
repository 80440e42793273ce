package dtype

// CopyRun fills z with the elements of x that lie step apart, from pos on; step may be 0.
func CopyRun[T Elem](z, x []T, pos, step int) {
	switch step {
	case 1:
		copy(z, x[pos:])
	case 0:
		v := x[pos]
		for i := range z {
			z[i] = v
		}
	default:
		for i := range z {
			z[i] = x[pos]
			pos += step
		}
	}
}

// LoadLanes reads the lanes at offsets that are active, all if on is nil, and returns the first that is outside of mem,
// or -1.
func LoadLanes[T Elem](z, mem []T, offs []int64, on []uint8) int {
	offs = offs[:len(z)]
	if on == nil {
		for i, o := range offs {
			if uint64(o) >= uint64(len(mem)) {
				return i
			}
			z[i] = mem[o]
		}
		return -1
	}
	on = on[:len(z)]
	for i, o := range offs {
		if on[i] == 0 {
			continue
		}
		if uint64(o) >= uint64(len(mem)) {
			return i
		}
		z[i] = mem[o]
	}
	return -1
}
