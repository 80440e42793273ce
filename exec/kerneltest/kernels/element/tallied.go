package element

import tl "github.com/tiler-go/tiler/tilelang"

// Tallied walks over numbers, one by one, and works on an element of z that each names: all inside, or some far away,
// or in the gaps of a view. A program has a run of so many numbers.
func Tallied(p *tl.Program, i, y, z tl.Ptr, n, each, far, step int, OP string) {
	for k := range each {
		if p.ID(0)*each+k < n {
			at := tl.Load(i.Add(p.ID(0)*each+k)).Int()/2*step + (p.ID(0)+far)*far
			x := tl.Load(y.Add(p.ID(0)*each + k))
			switch OP {
			case "add":
				tl.Store(z.Add(at), tl.Load(z.Add(at)).Add(x))
			case "one":
				tl.Store(z.Add(at), tl.Load(z.Add(at)).Add(1))
			case "sub":
				tl.Store(z.Add(at), tl.Load(z.Add(at)).Sub(x))
			case "from": // what is there is subtracted
				tl.Store(z.Add(at), x.Sub(tl.Load(z.Add(at))))
			case "xor":
				tl.Store(z.Add(at), x.Xor(tl.Load(z.Add(at))))
			case "or":
				tl.Store(z.Add(at), x.And(3).Or(tl.Load(z.Add(at))))
			case "used": // what is there, twice
				c := tl.Load(z.Add(at))
				tl.Store(z.Add(at), c.Add(c))
			case "both": // what is made of it, in two places
				c := tl.Load(z.Add(at)).Add(1)
				tl.Store(z.Add(at), c)
				tl.Store(y.Add(p.ID(0)*each+k), c)
			case "later": // another load comes first
				c := tl.Load(z.Add(at))
				tl.Store(z.Add(at), c.Add(tl.Load(y.Add(at))))
			case "between": // a store, perhaps to the same element
				c := tl.Load(z.Add(at))
				tl.Store(z.Add(k), x)
				tl.Store(z.Add(at), c.Add(1))
			case "divided": // by what may be zero
				c := tl.Load(z.Add(at))
				tl.Store(z.Add(at), c.Add(x.FloorDiv(x)))
			case "quotient": // and the rest
				by := at - far*2 - 3
				tl.Store(z.Add(at), (at*7/by+at*7%by)&15)
			case "add_unseen":
				tl.AtomicAdd(z.Add(at), x)
			case "max_unseen":
				tl.AtomicMax(z.Add(at), x)
			case "wraps":
				if c := tl.Load(z.Add(at)).Add(x).Mul(1 << 20); c.Int() > 0 {
					tl.Store(z.Add(at), c.Shr(20).Add(far*step))
				}
			default:
				tl.Store(y.Add(p.ID(0)*each+k), exchanged(z.Add(at), x, OP))
			}
		}
	}
}

// exchanged is what was there.
func exchanged(at tl.Ptr, x tl.Tile, OP string) tl.Tile {
	switch OP {
	case "max":
		return tl.AtomicMax(at, x)
	case "min":
		return tl.AtomicMin(at, x)
	case "and_bits":
		return tl.AtomicAnd(at, x)
	case "or_bits":
		return tl.AtomicOr(at, x)
	case "xor_bits":
		return tl.AtomicXor(at, x)
	case "xchg":
		return tl.AtomicXchg(at, x)
	case "cas":
		return tl.AtomicCAS(at, x, x.Add(1))
	}
	return tl.AtomicAdd(at, x)
}

// Until goes on until it has found something, in loops that it does not leave.
func Until(p *tl.Program, x, z tl.Ptr, n, each, far int, OP string) {
	found, last, rounds := false, -1, 0
	for k := range each {
		switch OP {
		case "not":
			if !found {
				v := tl.Load(x.Add(p.ID(0)*each + k + far)).Int()
				tl.Store(z.Add(p.ID(0)*each+k), v+1)
				last = k
				found = v&3 == 1
			}
		case "on":
			if found {
				tl.Store(z.Add(p.ID(0)*each+k), k)
			} else {
				found = tl.Load(x.Add(p.ID(0)*each+k+far)).Int()&3 == 1
			}
		case "other": // the other side has something to do, too
			if !found {
				v := tl.Load(x.Add(p.ID(0)*each + k + far)).Int()
				found = v&3 == 1
			} else {
				rounds++
			}
		case "again": // or changes the condition
			if !found {
				found = tl.Load(x.Add(p.ID(0)*each+k+far)).Int()&1 == 1
				tl.Store(z.Add(p.ID(0)*each+k), k)
			} else {
				found = false
			}
		case "beside": // other values go round
			rounds += k
			if !found {
				found = tl.Load(x.Add(p.ID(0)*each+k+far)).Int()&3 == 1
			}
		case "stores":
			if !found {
				found = tl.Load(x.Add(p.ID(0)*each+k+far)).Int()&3 == 1
			}
			tl.Store(z.Add(p.ID(0)*each+k), rounds)
		case "inner":
			for j := range 3 {
				if !found {
					last = j
					found = tl.Load(x.Add(p.ID(0)*each+k+far)).Int()&3 == j
				}
			}
			rounds++
		}
	}
	if p.ID(0)*each < n {
		tl.Store(z.Add(p.ID(0)*each), last*100+rounds)
	}
	if found {
		tl.AtomicAdd(z, 1)
	}
}
