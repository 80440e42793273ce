package files

import (
	"container/heap"
	"context"
	"fmt"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/tiler-go/tiler/exec/beam/cut"
)

// merge writes all elements in order: the rows of pieces, each from its file, and what no piece writes. Files are read
// from beginning to end, and are open from their first row to their last.
func (s *Sink) merge(ctx context.Context, w io.Writer, regions []cut.Region) error {
	var next parts
	for i, r := range regions {
		if !r.Empty() {
			next = append(next, &part{region: r, path: s.part(i)})
		}
	}
	heap.Init(&next)
	done := 0
	fill := func(lo, hi int) error {
		return s.each(lo, hi, func(lo, hi int, b []byte) error {
			if err := s.before(ctx, lo, hi, b); err != nil {
				return err
			}
			_, err := w.Write(b)
			return err
		})
	}
	defer func() {
		for _, p := range next {
			p.close()
		}
	}()
	size := int64(s.Tensor.Type().Size())
	for len(next) > 0 {
		p := next[0]
		if err := fill(done, p.at()); err != nil {
			return err
		}
		if err := p.row(ctx, w, size); err != nil {
			return err
		}
		done = p.at() - p.region.Stride + p.region.Cols
		if p.done == p.region.Rows {
			p.close()
			heap.Pop(&next)
		} else {
			heap.Fix(&next, 0)
		}
	}
	return fill(done, s.Tensor.Len())
}

// A part is the file of a piece, which is read row by row.
type part struct {
	region cut.Region
	path   string
	done   int // rows
	fs     filesystem.Interface
	file   io.ReadCloser
}

// at is the element that its next row begins with.
func (p *part) at() int { return p.region.Off + p.done*p.region.Stride }

func (p *part) row(ctx context.Context, w io.Writer, size int64) (err error) {
	if p.file == nil {
		if p.fs, err = filesystem.New(ctx, p.path); err == nil {
			p.file, err = p.fs.OpenRead(ctx, p.path)
		}
	}
	if err == nil {
		_, err = io.CopyN(w, p.file, int64(p.region.Cols)*size)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", p.path, err)
	}
	p.done++
	return nil
}

func (p *part) close() {
	if p.file != nil {
		_ = p.file.Close() // of what was read
	}
	if p.fs != nil {
		_ = p.fs.Close()
	}
}

// parts is a heap: the part first whose next row is.
type parts []*part

func (p parts) Len() int           { return len(p) }
func (p parts) Less(i, j int) bool { return p[i].at() < p[j].at() }
func (p parts) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *parts) Push(x any)        { *p = append(*p, x.(*part)) }
func (p *parts) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}
