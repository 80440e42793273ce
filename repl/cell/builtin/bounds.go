package builtin

import "fmt"

// What Go's runtime says of indices that are out of range.

// index is i, the index of one of n elements.
func index(i int64, n int) int {
	switch {
	case i < 0:
		panic(RuntimeError(fmt.Sprintf("index out of range [%d]", i)))
	case i >= int64(n):
		panic(RuntimeError(fmt.Sprintf("index out of range [%d] with length %d", i, n)))
	}
	return int(i)
}

// sliceLow is lo, the low bound of a slice expression on n elements that could be up to
// most. The bits of given say which bounds the expression has.
func sliceLow(lo, hi, top int64, n, most int, slice bool, given int) int {
	with := fmt.Sprintf(" with length %d", n)
	if slice {
		with = fmt.Sprintf(" with capacity %d", most)
	}
	fail := func(format string, args ...any) {
		panic(RuntimeError("slice bounds out of range " + fmt.Sprintf(format, args...)))
	}
	if given&2 == 0 {
		hi = int64(n)
	}
	if given&4 != 0 {
		switch {
		case top < 0:
			fail("[::%d]", top)
		case top > int64(most):
			fail("[::%d]%s", top, with)
		case hi < 0:
			fail("[:%d:]", hi)
		case hi > top:
			fail("[:%d:%d]", hi, top)
		case lo < 0:
			fail("[%d::]", lo)
		case lo > hi:
			fail("[%d:%d:]", lo, hi)
		}
		return int(lo)
	}
	switch {
	case hi < 0:
		fail("[:%d]", hi)
	case hi > int64(most):
		fail("[:%d]%s", hi, with)
	case lo < 0:
		fail("[%d:]", lo)
	case lo > hi:
		fail("[%d:%d]", lo, hi)
	}
	return int(lo)
}
