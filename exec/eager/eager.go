package eager

import (
	"github.com/tiler-go/tiler/exec/ir"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Func is an ir.Func that can be run. It may be run by many goroutines at once.
type Func struct {
	ir     *ir.Func
	places []diag.Pos // by line, from 1
	lines  []int      // by a value's ID

	notes    notes
	watchers watchers
}

// New prepares f, which must be verified.
func New(f *ir.Func) *Func {
	z := &Func{ir: f, lines: make([]int, f.NumIDs()), notes: notesOf(f)}
	known := map[diag.Pos]int{}
	f.Values(func(v *ir.Value) {
		if !v.Pos.IsValid() {
			return
		}
		n := known[v.Pos]
		if n == 0 {
			z.places = append(z.places, v.Pos)
			n = len(z.places)
			known[v.Pos] = n
		}
		z.lines[v.ID] = n
	})
	return z
}

// Place is where the source has what Program.Line counts as line.
func (f *Func) Place(line int) diag.Pos {
	if line < 1 || line > len(f.places) {
		return diag.Pos{File: f.ir.File}
	}
	return f.places[line-1]
}

// Run runs an instance. An argument is a pointer, or a scalar of its parameter's type.
func (f *Func) Run(p *tl.Program, args []tl.Tile) { f.RunEach(p, args, nil) }

// RunEach is Run that tells of each value, before it is computed, with its operands; of a reduction or scan, also after
// its function has run. What each panics with ends the instance.
func (f *Func) RunEach(p *tl.Program, args []tl.Tile, each func(v *ir.Value, operands []tl.Tile)) {
	r := &run{f: f, p: p, each: each, env: make([]tl.Tile, f.ir.NumIDs()), results: map[*ir.Value][]tl.Tile{}, tell: f.watchers.take(p)}
	for i, v := range f.ir.Params {
		r.env[v.ID] = args[i]
	}
	r.block(f.ir.Body)
}

// Scalar is a tile of rank 0 with the given bits.
func Scalar(d dtype.DType, bits uint64) tl.Tile {
	switch {
	case d == dtype.Bool:
		return tl.Full(d, bits != 0)
	case d.IsFloat():
		return tl.Full(d, dtype.ToFloat(d, bits))
	case d == dtype.Uint64:
		return tl.Full(dtype.Int64, int(bits)).Bitcast(d)
	}
	return tl.Full(d, int(dtype.ToInt(d, bits)))
}

// A run is one instance.
type run struct {
	f       *Func
	p       *tl.Program
	env     []tl.Tile
	results map[*ir.Value][]tl.Tile
	tell    func(Statement) // nil: nobody watches
	each    func(v *ir.Value, operands []tl.Tile)
}

// An ending is how a block ends.
type ending struct {
	op     op.Op // None: it goes on behind what held the block
	depth  int   // of Break and Continue: loops to pass
	values []tl.Tile
}

func (r *run) args(v *ir.Value) []tl.Tile {
	xs := make([]tl.Tile, len(v.Args))
	for i, a := range v.Args {
		xs[i] = r.env[a.ID]
	}
	return xs
}

func (r *run) block(b *ir.Block) ending {
	if r.tell != nil {
		r.told(r.f.notes.first[b])
	}
	for _, v := range b.Values {
		if n := r.f.lines[v.ID]; n > 0 {
			r.p.Line = n
		}
		if r.each != nil {
			r.each(v, r.args(v))
		}
		switch {
		case v.IsTerm():
			return ending{v.Op, v.Index, r.args(v)}
		case v.IsControl():
			if end := r.control(v); end.op != op.None {
				return end
			}
		case v.Op == ir.Result:
			r.env[v.ID] = r.results[v.Args[0]][v.Index]
		default:
			if zs := r.value(v); len(v.Results) > 0 {
				r.results[v] = zs
			} else if len(zs) > 0 {
				r.env[v.ID] = zs[0]
				tl.Locate(zs[0], v.Pos)
			}
		}
		if r.tell != nil {
			r.told(r.f.notes.behind[v])
		}
	}
	panic("eager: a block without a terminator")
}

// control runs an If, For or Loop; the ending is that of a block around it, if it has come
// to that.
func (r *run) control(v *ir.Value) ending {
	switch v.Op {
	case ir.If:
		b := v.Blocks[0]
		if !r.env[v.Args[0].ID].Bool() {
			b = v.Blocks[1]
		}
		end := r.block(b)
		if end.op != ir.Yield {
			return end
		}
		r.results[v] = end.values
		return ending{}
	case ir.For:
		r.counted(v)
		return ending{}
	}
	return r.loop(v)
}

func (r *run) counted(v *ir.Value) {
	xs, b := r.args(v), v.Blocks[0]
	lo, hi, carried := xs[0].Int(), xs[1].Int(), xs[2:]
	for i := lo; i < hi && v.Index > 0 || i > hi && v.Index < 0; i += v.Index {
		r.env[b.Args[0].ID] = tl.Full(tl.Int64, i)
		for k, a := range b.Args[1:] {
			r.env[a.ID] = carried[k]
		}
		carried = r.block(b).values
	}
	r.results[v] = carried
}

func (r *run) loop(v *ir.Value) ending {
	for carried := r.args(v); ; {
		for k, a := range v.Blocks[0].Args {
			r.env[a.ID] = carried[k]
		}
		end := r.block(v.Blocks[0])
		switch {
		case end.op == ir.Return:
			return end
		case end.depth > 0:
			end.depth--
			return end
		case end.op == ir.Break:
			r.results[v] = end.values
			return ending{}
		}
		carried = end.values
	}
}
