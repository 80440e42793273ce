// Package cut cuts a matrix product C into tasks of rows and columns, and the columns of one into panels of B. It knows
// of a product no more than its size.
package cut

import "sort"

// A Kernel is what cutting a product depends on of the micro-kernel that computes it.
type Kernel struct {
	MR, NR int
	Narrow int  // NR of the panels that end a block, if that is another
	Even   bool // all workers get equal columns, whatever the size
}

// last is the NR of the panel with the fewest columns.
func (k Kernel) last() int {
	if k.Narrow != 0 {
		return k.Narrow
	}
	return k.NR
}

// Panels are how the columns of a block are packed: wide panels, then narrow ones.
type Panels struct {
	nr [2]int
	n  [2]int
}

// Panels are those with the fewest columns that do not exist, and then the fewest panels.
func (k Kernel) Panels(cols int) Panels {
	wide, narrow := k.NR, k.last()
	y := Panels{nr: [2]int{wide, narrow}}
	y.n[0] = (cols + wide - 1) / wide
	if k.Narrow == 0 {
		return y
	}
	for n := 1; n*narrow < cols+narrow && n < 3; n++ {
		z := y
		z.n = [2]int{max(0, cols-n*narrow+wide-1) / wide, n}
		if z.Start(z.Len()) < y.Start(y.Len()) {
			y = z
		}
	}
	return y
}

// Len is the number of panels, Wide that of wide ones.
func (y Panels) Len() int  { return y.n[0] + y.n[1] }
func (y Panels) Wide() int { return y.n[0] }

// NR is the columns of a panel.
func (y Panels) NR(panel int) int {
	if panel >= y.n[0] {
		return y.nr[1]
	}
	return y.nr[0]
}

// Start is the first column of a panel.
func (y Panels) Start(panel int) int {
	wide := min(panel, y.n[0])
	return wide*y.nr[0] + (panel-wide)*y.nr[1]
}

// A Region is part of C whose columns share a packed block of B. It is cut into
// tasks of so many rows each; some at the end may have none.
type Region struct {
	Columns
	Row, Rows   int
	First       int // task
	Tasks, Each int // tasks, rows of one
}

// Columns are some that lie side by side.
type Columns struct{ Col, Cols int }

// between is the columns from each of some starts to the next.
func between(starts []int) (all []Columns) {
	for i, end := range starts[1:] {
		all = append(all, Columns{starts[i], end - starts[i]})
	}
	return all
}

// Tasks are all of C.
type Tasks struct {
	Regions []Region
	N       int
}

// add appends tasks for rows of a C of m rows, as far as there are so many from row on.
func (t *Tasks) add(c Columns, m, row, rows, each int) {
	g := Region{c, row, max(0, min(rows, m-row)), t.N, (rows + each - 1) / each, each}
	t.Regions = append(t.Regions, g)
	t.N += g.Tasks
}

// Of is where a task belongs.
func (t *Tasks) Of(task int) Region {
	i := sort.Search(len(t.Regions), func(i int) bool { return t.Regions[i].First > task })
	return t.Regions[i-1]
}

// Thin is a task for all m rows, so many at most, of each block of columns; starts gives where these start, and the
// end.
func Thin(m, rows int, starts []int) (t Tasks) {
	for _, c := range between(starts) {
		t.add(c, m, 0, m, rows)
	}
	return t
}

// Blocked cuts C into tasks where B has blocks of so many columns, which each worker computes: of whole blocks, no more
// than widest if that is possible.
func Blocked(m, n, block, widest, rows, workers int) (t Tasks) {
	all := (n + block - 1) / block
	some := max(1, widest/block)
	parts := max((all+some-1)/some, min(workers, all))
	starts := []int{0}
	for i := range parts {
		starts = append(starts, min(n, all*(i+1)/parts*block))
	}
	for _, c := range between(starts) {
		t.add(c, m, 0, m, rows)
	}
	return t
}

// tasksEach is how many tasks each of several workers has at least, if they can have two strips
// of rows: all end at the same time.
const tasksEach = 64

// Tasks cuts m × n results into tasks of so many rows, of blocks of so many columns at most. Each of several workers
// gets as many blocks of whole wide panels, and some rows of the columns that are left, if these are enough for a panel
// and not too many: who is ahead takes over rows there, and has packed what it needs for them. Tasks of a K that is
// sliced are large, and stay so.
func (k Kernel) Tasks(m, n, widest, rows, workers int, sliced bool) Tasks {
	blocks := between(k.blocks(n, widest, workers, sliced))
	for workers > 1 && !sliced && len(blocks)*((m+rows-1)/rows) < tasksEach*workers && rows >= 2*k.MR {
		rows /= 2
	}
	var t Tasks
	own, panels := len(blocks)/workers, n/k.NR/workers // of a worker
	left := Columns{panels * workers * k.NR, n - panels*workers*k.NR}
	even := workers > 1 && !sliced && !k.Even && len(blocks)%workers == 0 && panels >= own
	if !even || left.Cols < k.NR || left.Cols > min(widest, left.Col) {
		for _, c := range blocks {
			t.add(c, m, 0, m, rows)
		}
		return t
	}
	share := roundUp((m+workers-1)/workers, k.MR)
	each := rows * max(1, left.Col/len(blocks)/left.Cols)
	for w := range workers {
		for i := range own {
			from, to := w*panels+panels*i/own, w*panels+panels*(i+1)/own
			t.add(Columns{from * k.NR, (to - from) * k.NR}, m, 0, m, rows)
		}
		t.add(left, m, w*share, share, each)
	}
	return t
}

// blocks cuts n columns into blocks of whole panels, as equal as these can be and at most so
// wide, and gives their starts and the end. Workers get equal columns, where tasks are few and
// large or blocks too few to go round: all end at the same time, though more panels are narrow.
func (k Kernel) blocks(n, widest, workers int, large bool) []int {
	spans, unit := 1, k.NR
	if blocks := (n + widest - 1) / widest; k.Even || large || blocks%workers != 0 && blocks < 4*workers {
		spans = max(1, min(workers, n/k.last()))
	}
	if k.Narrow != 0 {
		unit = k.Narrow / 2 // wide and narrow panels make up any number of these
	}
	starts := []int{0}
	for i := range spans {
		from, to := starts[len(starts)-1], min(n, roundUp(n*(i+1)/spans, unit))
		blocks, panels := (to-from+widest-1)/widest, (to-from+k.NR-1)/k.NR
		for j := 1; j < blocks; j++ {
			starts = append(starts, from+panels*j/blocks*k.NR)
		}
		if to > from {
			starts = append(starts, to)
		}
	}
	return starts
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }
