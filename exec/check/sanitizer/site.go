package sanitizer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/check/layout"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
)

type siteKey struct {
	file string
	line int
	op   string
	name string
}

// A site is one load, store or atomic of the kernel.
type site struct {
	key      siteKey
	number   uint32 // place in Checker.order
	visits   []visit
	fromData bool    // its mask, or whether a program comes here, depends on what is in memory
	sweeps   []sweep // by visit, of tiles of one dimension
	spans    *layout.Rows

	stretches layout.Stretches

	most    int    // the most that one instance has come here
	current uint32 // instance that is counted in now
	now     int    // how often it has come here

	masked, unwritten *tl.Origin // of undefined lanes, made when first needed
	misplaced, stray  *tl.Origin
}

// A visit is the n-th time that an instance comes to a site, over all instances.
type visit struct {
	active, lanes int
	mask          int // lanes of one instance's mask before it was repeated; 0 without one
	programs      int
}

// How much is remembered, and how much reported, of long loops.
const (
	maxVisits     = 1 << 12
	maxIterations = 1 << 8
)

// at is the site of an access, where the running instance has come once more.
func (c *Checker) at(a *tl.Access) *site {
	pos := c.pos(a.Pos)
	key := siteKey{pos.File, pos.Line, a.Op, a.Base.Name}
	s := c.sites[key]
	if s == nil {
		s = &site{key: key, number: uint32(len(c.order))}
		c.sites[key] = s
		c.order = append(c.order, s)
	}
	if s.current != c.instance {
		s.current, s.now = c.instance, 0
	}
	s.now++
	s.most = max(s.most, s.now)
	return s
}

// pos is where the site is.
func (s *site) pos() diag.Pos { return diag.Pos{File: s.key.file, Line: s.key.line} }

// cover counts the lanes of an access.
func (c *Checker) cover(s *site, a *tl.Access) {
	k := min(s.now, maxVisits) - 1
	for len(s.visits) <= k {
		s.visits = append(s.visits, visit{})
	}
	v := &s.visits[k]
	v.programs++
	v.lanes += len(a.Offsets)
	active := len(a.Offsets)
	if a.Active != nil {
		active = count(a.Active)
		v.mask = len(a.Mask)
	}
	v.active += active
	c.idle = c.idle && active == 0
}

func count(on []uint8) (n int) {
	for _, v := range on {
		n += int(v)
	}
	return n
}

// Coverage is the share of lanes that did something, by site.
func (c *seen) Coverage() check.Coverage {
	z := check.Coverage{Sites: []check.Site{}}
	for _, s := range c.order {
		out := check.Site{File: s.key.file, Line: s.key.line, Op: s.key.op, Tensor: s.key.name}
		for _, v := range s.visits {
			out.Active += v.active
			out.Lanes += v.lanes
			if n := len(s.visits); n > 1 && n <= maxIterations {
				out.Iterations = append(out.Iterations, check.Iteration{Active: v.active, Lanes: v.lanes})
			}
		}
		z.Active += out.Active
		z.Lanes += out.Lanes
		z.Sites = append(z.Sites, out)
	}
	return z
}

// deadIterations reports the sites that let no lane of any program through, at all or
// in some iterations.
func (c *Checker) deadIterations() (fs []check.Finding) {
	for _, s := range c.order {
		var dead []int
		for k, v := range s.visits {
			if v.active == 0 && v.mask > 0 {
				dead = append(dead, k)
			}
		}
		if len(dead) == 0 {
			continue
		}
		pos := diag.Pos{File: s.key.file, Line: s.key.line}
		f := check.Finding{Diagnostic: diag.Diagnostic{Pos: pos}, Kind: check.DeadLanes, Severity: s.severity(), Op: s.key.op, Tensor: s.key.name, PID: c.pid(1)}
		f.Programs = s.visits[dead[0]].programs
		mask := s.visits[dead[0]].mask
		if s.most == 1 {
			f.Msg = fmt.Sprintf("%s of %s: 0 of %d lanes active, in every program", s.key.op, s.key.name, mask)
		} else {
			f.Msg = fmt.Sprintf("%s of %s: %s of %d: 0 of %d lanes active, in every program", s.key.op, s.key.name, iterations(dead), s.most, mask)
		}
		f.Fix("compare the mask with the sizes: it lets nothing through here")
		if c.Source != nil {
			f.Source = c.Source(pos.File, pos.Line)
		}
		fs = append(fs, f)
	}
	return fs
}

// severity is that of iterations that do nothing: a mask that lets nothing through is
// wrong, unless it depends on what is in memory.
func (s *site) severity() check.Severity {
	if s.fromData {
		return check.Note
	}
	return check.Warning
}

// iterations names some: "iterations 2 and 3", "iterations 2 to 5 and 7".
func iterations(ks []int) string {
	if len(ks) == 1 {
		return fmt.Sprintf("iteration %d", ks[0])
	}
	var parts []string
	for i := 0; i < len(ks); {
		j := i
		for j+1 < len(ks) && ks[j+1] == ks[j]+1 {
			j++
		}
		if j-i < 2 {
			for ; i <= j; i++ {
				parts = append(parts, fmt.Sprint(ks[i]))
			}
			continue
		}
		parts = append(parts, fmt.Sprintf("%d to %d", ks[i], ks[j]))
		i = j + 1
	}
	last := len(parts) - 1
	if last == 0 {
		return "iterations " + parts[0]
	}
	return "iterations " + strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// origin is o, made when first needed, with today's data.
func (s *site) origin(o **tl.Origin, m tl.Mark, text string) *tl.Origin {
	if *o == nil {
		*o = &tl.Origin{Mark: m, Op: s.key.op, Pos: diag.Pos{File: s.key.file, Line: s.key.line}, Text: text}
	}
	return *o
}

// with is list with o in it.
func with(list []*tl.Origin, o *tl.Origin) []*tl.Origin {
	if slices.Contains(list, o) {
		return list
	}
	return append(list, o)
}
