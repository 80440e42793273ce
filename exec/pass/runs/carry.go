package runs

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// carries is what a loop over runs carries from one to the next, so that none divides: quotients of the block's
// elements, and of remainders of these, end where runs end, and then are one more. What they are divided by again and
// again, rows by planes and planes by images, counts them.
type carries struct {
	quots    []*quotient
	counters []*counter
	of       map[*ir.Value]*count    // by the tiles whose numbers they are
	rests    map[*ir.Value]*quotient // by the tiles that are remainders
}

// A count is a number that is the same in all of a run, and in the next one that or one more, or 0.
type count struct {
	now  *ir.Value
	ends *ir.Value // whether the next run has another one,
	anew *ir.Value // which is 0; nil for never
}

// A quotient is of the block's elements, or of remainders.
type quotient struct {
	count
	div   *ir.Value // the division
	by    *ir.Value // int64
	until *ir.Value // the first element for which it is another
	outer *quotient // of whose remainder it is: the last one of a remainder's ends where that does

	uneven bool // and it, or one around it, may be shorter than the others
}

// A counter is a count divided by a number, and how many that leaves.
type counter struct {
	count
	div  *ir.Value
	by   *ir.Value
	rest *ir.Value
	from *count
}

// quotient is that of a division by a number, of a remainder if there is a quotient that leaves it.
func (w *runWriter) quotient(v, by *ir.Value, outer *quotient) *quotient {
	for _, q := range w.quots {
		if q.div.Args[0] == v.Args[0] && (q.by == by || divisor(q.div) == divisor(v)) {
			return q
		}
	}
	q := &quotient{count: count{now: w.carried(v)}, div: v, by: by, until: w.carried(v), outer: outer}
	q.uneven = outer != nil && (outer.uneven || w.uneven(v))
	w.quots = append(w.quots, q)
	w.hi = w.Add(op.Minimum, wide, w.hi, q.until)
	return q
}

// carried is a number that the loop carries.
func (w *runWriter) carried(of *ir.Value) *ir.Value { return w.Fn.NewValue(op.None, wide, of.Pos) }

// countOf is the count that a tile is, nil if it is none.
func (w *runWriter) countOf(v *ir.Value) *count {
	w.part(v)
	if v.Op == op.Cast && counts(v.Type.D) && counts(v.Args[0].Type.D) && v.Type.D.Size() >= v.Args[0].Type.D.Size() {
		return w.countOf(v.Args[0])
	}
	return w.of[v]
}

// dividesCount reports whether v divides a count by a number.
func (w *runWriter) dividesCount(v *ir.Value) bool {
	if v.Op != op.FloorDiv && v.Op != op.Mod || v.Args[1].Op != op.Broadcast || divisor(v).Type.IsTile() {
		return false
	}
	return w.countOf(v.Args[0]) != nil
}

// dividedCount is what a count divided by a number is, or leaves.
func (w *runWriter) dividedCount(v *ir.Value) part {
	from := w.countOf(v.Args[0])
	var c *counter
	for _, o := range w.counters {
		if o.from == from && divisor(o.div) == divisor(v) {
			c = o
		}
	}
	if c == nil {
		c = &counter{count: count{now: w.carried(v)}, div: v, by: w.widened(divisor(v)), rest: w.carried(v), from: from}
		w.counters, w.apart = append(w.counters, c), append(w.apart, v)
	}
	if v.Op == op.Mod {
		return part{one: w.as(v.Type.D, c.rest)}
	}
	w.of[v] = &c.count
	return part{one: w.as(v.Type.D, c.now)}
}

// begin is what the loop carries to its first run.
func (w *runWriter) begin() []*ir.Value {
	begin, first, rests := []*ir.Value{w.number(0)}, map[*count]*ir.Value{}, map[*quotient]*ir.Value{}
	for _, q := range w.quots {
		start, by := rests[q.outer], w.widened(divisor(q.div))
		if q.outer == nil {
			start = w.startOf(q.div.Args[0])
		}
		now := w.Add(op.FloorDiv, wide, start, by)
		ahead := w.Add(op.Mul, wide, now, by)
		first[&q.count], rests[q] = now, w.Add(op.Sub, wide, start, ahead)
		begin = append(begin, now, w.Add(op.Sub, wide, w.Add(op.Add, wide, ahead, by), start))
	}
	for _, c := range w.counters {
		from, by := first[c.from], w.widened(divisor(c.div))
		now := w.Add(op.FloorDiv, wide, from, by)
		first[&c.count] = now
		begin = append(begin, now, w.Add(op.Sub, wide, from, w.Add(op.Mul, wide, now, by)))
	}
	return begin
}

// next is what the loop carries, and what it carries to the next run.
func (w *runWriter) next() (args, next []*ir.Value) {
	args, next = []*ir.Value{w.lo}, []*ir.Value{w.hi}
	where := func(c, x, y *ir.Value) *ir.Value { return w.Add(op.Where, wide, c, x, y) }
	more := func(x, by *ir.Value) *ir.Value { return w.Add(op.Add, wide, x, by) }
	reset := func(c *count, x *ir.Value) *ir.Value {
		if c.anew == nil {
			return x
		}
		return where(c.anew, w.number(0), x)
	}
	for _, q := range w.quots {
		q.ends = w.Add(op.Eq, flag, w.hi, q.until)
		if q.outer != nil {
			q.anew = q.outer.ends
		}
		if q.uneven {
			q.ends = w.Add(op.Or, flag, q.ends, q.anew)
		}
		from := q.until
		if q.uneven {
			from = w.hi // which is until, if that is not cut off
		}
		args = append(args, q.now, q.until)
		next = append(next, reset(&q.count, where(q.ends, more(q.now, w.number(1)), q.now)))
		next = append(next, where(q.ends, more(from, q.by), q.until))
	}
	for _, c := range w.counters {
		rest := more(c.rest, w.number(1))
		full := w.Add(op.Eq, flag, rest, c.by)
		c.ends, c.anew = w.Add(op.And, flag, c.from.ends, full), c.from.anew
		args = append(args, c.now, c.rest)
		next = append(next, reset(&c.count, where(c.ends, more(c.now, w.number(1)), c.now)))
		next = append(next, reset(&c.count, where(c.from.ends, where(full, w.number(0), rest), c.rest)))
	}
	return args, next
}
