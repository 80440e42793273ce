package files

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/tiler-go/tiler/exec/beam/cut"
)

// A Sink is a file that pieces of a tensor are written into. A piece may be written again, with the same bytes.
//
// On this machine's file system the pieces are written to their places in a file beside the final one, which is renamed
// when all are there. On others, and for .npz, each piece is a file of its own, and Finish puts these together.
type Sink struct {
	Path   string // the final file
	Name   string // of the tensor within it
	Tensor cut.Tensor
	ID     string  // of the run: equal for all that write the same
	Before *Source // what the tensor was, of one that the kernel reads, too; nil for zeros
	Head   []byte  // what stands before the first element
}

// page is what a large tensor begins at a multiple of in its file. Rows of a piece are then whole pages: a page that is
// part of two pieces is written to the disk for the one, and must be read again for the other.
const page = 4096

// padding is how many spaces there are in front of the last byte of a header, for a tensor to begin with a page.
func padding(head int, t cut.Tensor) int {
	if t.Len()*t.Type().Size() < 64*page {
		return 0
	}
	return (page - head%page) % page
}

// NewSink is a sink for a tensor: FILE.npy, FILE.npz#NAME or FILE.safetensors#NAME.
func NewSink(path string, t cut.Tensor, id string, before *Source) (*Sink, error) {
	file, name, _ := strings.Cut(path, "#")
	s := &Sink{Path: file, Name: name, Tensor: t, ID: id, Before: before}
	var err error
	switch kind(file) {
	case ".npy", ".npz":
		s.Head, err = npyHead(t)
	case ".safetensors":
		s.Head, err = s.safetensorsHead()
	default:
		err = errors.New("its name ends in none of .npy, .npz and .safetensors")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if s.Name == "" {
		s.Name = "out"
	}
	return s, nil
}

func (s *Sink) safetensorsHead() ([]byte, error) {
	if s.Name == "" {
		s.Name = "out"
	}
	for name, d := range safetensorsTypes {
		if d != s.Tensor.Type() {
			continue
		}
		e := stored{DType: name, Shape: s.Tensor.Shape, Offsets: [2]int64{0, int64(s.Tensor.Len() * d.Size())}}
		text, err := json.Marshal(map[string]stored{s.Name: e})
		if err != nil {
			return nil, err
		}
		for len(text)%8 != 0 {
			text = append(text, ' ')
		}
		text = append(text, bytes.Repeat([]byte(" "), padding(8+len(text), s.Tensor))...)
		return append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), nil
	}
	return nil, fmt.Errorf("a .safetensors file has no %s", s.Tensor.DType)
}

// direct reports whether pieces are written to their places.
func (s *Sink) direct() bool { return Local(s.Path) && kind(s.Path) != ".npz" }

// partial is the file that becomes the final one.
func (s *Sink) partial() string {
	if i := strings.LastIndexAny(s.Path, "/\\"); !Local(s.Path) && i > 0 {
		return s.Path[:i+1] + "." + s.Path[i+1:] + "." + s.ID + ".partial"
	}
	return filepath.Join(filepath.Dir(s.Path), "."+filepath.Base(s.Path)+"."+s.ID+".partial")
}

// part is the file of a piece.
func (s *Sink) part(piece int) string { return fmt.Sprintf("%s.%07d", s.partial(), piece) }

// Begin prepares for pieces.
func (s *Sink) Begin(ctx context.Context) (err error) {
	if !s.direct() {
		return nil
	}
	f, err := os.Create(s.partial())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(s.Head); err != nil {
		return err
	}
	if s.Before != nil {
		return s.copyBefore(ctx, f)
	}
	return f.Truncate(int64(len(s.Head)) + s.bytes())
}

func (s *Sink) bytes() int64 { return int64(s.Tensor.Len()) * int64(s.Tensor.Type().Size()) }

// copyBefore writes all elements as they were.
func (s *Sink) copyBefore(ctx context.Context, w io.Writer) error {
	return s.each(0, s.Tensor.Len(), func(lo, hi int, b []byte) error {
		if err := s.before(ctx, lo, hi, b); err != nil {
			return err
		}
		_, err := w.Write(b)
		return err
	})
}

// each goes through elements in blocks that fit into memory.
func (s *Sink) each(lo, hi int, do func(lo, hi int, b []byte) error) error {
	const block = 1 << 18
	size := s.Tensor.Type().Size()
	b := make([]byte, min(block, hi-lo)*size)
	for ; lo < hi; lo += block {
		n := min(block, hi-lo)
		if err := do(lo, lo+n, b[:n*size]); err != nil {
			return err
		}
	}
	return nil
}

// before is elements as they were.
func (s *Sink) before(ctx context.Context, lo, hi int, into []byte) error {
	if s.Before == nil {
		clear(into)
		return nil
	}
	return s.Before.Read(ctx, cut.Region{Off: lo, Rows: 1, Cols: hi - lo, Stride: hi - lo}, into)
}

// Write writes a region of a piece from memory that is laid out as the tensor is.
func (s *Sink) Write(ctx context.Context, piece int, r cut.Region, from []byte) (err error) {
	size := s.Tensor.Type().Size()
	row := func(i int) []byte { return from[i*r.Stride*size:][:r.Cols*size] }
	if !s.direct() {
		w, done, err := create(ctx, s.part(piece))
		if err != nil {
			return fmt.Errorf("%s: %w", s.part(piece), err)
		}
		for i := 0; i < r.Rows && err == nil; i++ {
			_, err = w.Write(row(i))
		}
		if err = errors.Join(err, done()); err != nil {
			err = fmt.Errorf("%s: writing %s: %w", s.Path, r, err)
		}
		return err
	}
	f, err := os.OpenFile(s.partial(), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for i := range r.Rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := f.WriteAt(row(i), int64(len(s.Head))+int64((r.Off+i*r.Stride)*size)); err != nil {
			return fmt.Errorf("%s: writing %s: %w", s.Path, r, err)
		}
	}
	return nil
}

// create opens a file of any of Beam's file systems for writing; done closes it.
func create(ctx context.Context, path string) (w io.Writer, done func() error, err error) {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	f, err := fs.OpenWrite(ctx, path)
	if err != nil {
		return nil, nil, errors.Join(err, fs.Close())
	}
	return f, func() error { return errors.Join(f.Close(), fs.Close()) }, nil
}

// Finish gives the file its name, when every piece has been written. regions are those of the pieces, in order.
func (s *Sink) Finish(ctx context.Context, regions []cut.Region) error {
	if !s.direct() {
		if err := s.compose(ctx, regions); err != nil {
			return fmt.Errorf("%s: %w", s.Path, err)
		}
	}
	if err := rename(ctx, s.partial(), s.Path); err != nil {
		return err
	}
	if s.direct() {
		return nil
	}
	return s.removeParts(ctx, len(regions))
}

// Abandon removes what there is of the file.
func (s *Sink) Abandon(ctx context.Context, pieces int) error {
	if s.direct() {
		if err := os.Remove(s.partial()); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	_ = remove(ctx, s.partial()) // which there may not be
	return s.removeParts(ctx, pieces)
}

func (s *Sink) removeParts(ctx context.Context, n int) error {
	for i := range n {
		_ = remove(ctx, s.part(i)) // a piece may write nothing of this tensor, or not have come to it
	}
	return nil
}

func remove(ctx context.Context, path string) error {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return err
	}
	defer fs.Close()
	if r, ok := fs.(filesystem.Remover); ok {
		return r.Remove(ctx, path)
	}
	return fmt.Errorf("%s: its file system removes no files", path)
}

// rename gives a file its final name; a file system that cannot copies.
func rename(ctx context.Context, from, to string) error {
	fs, err := filesystem.New(ctx, from)
	if err != nil {
		return err
	}
	defer fs.Close()
	if r, ok := fs.(filesystem.Renamer); ok {
		return r.Rename(ctx, from, to)
	}
	c, ok := fs.(filesystem.Copier)
	if !ok {
		return fmt.Errorf("%s: its file system neither renames nor copies files", to)
	}
	if err := c.Copy(ctx, from, to); err != nil {
		return err
	}
	return remove(ctx, from)
}

// compose puts the files of pieces together.
func (s *Sink) compose(ctx context.Context, regions []cut.Region) (err error) {
	file, done, err := create(ctx, s.partial())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	w := file
	if kind(s.Path) == ".npz" {
		z := zip.NewWriter(file)
		defer func() {
			if err == nil {
				err = z.Close()
			}
		}()
		if w, err = z.CreateHeader(&zip.FileHeader{Name: s.Name + ".npy", Method: zip.Store}); err != nil {
			return err
		}
	}
	if _, err := w.Write(s.Head); err != nil {
		return err
	}
	return s.merge(ctx, w, regions)
}
