package files

import (
	"archive/zip"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/tiler-go/tiler/exec/beam/cut"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Source is a tensor in a file: where its elements begin, and what they are.
type Source struct {
	Path   string // of the file
	Name   string // of the tensor within it, "" in an .npy file
	Tensor cut.Tensor
	Begin  int64 // bytes before the first element
	Big    bool  // big-endian
}

// Open reads what a path says: FILE.npy, FILE.npz#NAME or FILE.safetensors#NAME, where NAME may be left out if there is
// only one. as, if it is not empty, is the dtype that the bits are of: of bfloat16, which NumPy does not have.
func Open(ctx context.Context, path, as string) (*Source, error) {
	file, name, _ := strings.Cut(path, "#")
	r, err := openReader(ctx, file)
	if err != nil {
		return nil, err
	}
	defer r.close()
	s := &Source{Path: file, Name: name}
	switch kind(file) {
	case ".npz":
		err = s.readNpz(r)
	case ".safetensors":
		err = s.readSafetensors(r)
	default:
		err = s.readNpy(io.NewSectionReader(r, 0, 1<<20), 0)
	}
	if err == nil {
		err = s.complete(r)
	}
	if err == nil && as != "" {
		err = s.retype(as)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// kind is the end of a file's name.
func kind(path string) string {
	for _, k := range []string{".npz", ".safetensors", ".npy"} {
		if strings.HasSuffix(path, k) {
			return k
		}
	}
	return ""
}

// complete refuses a file that ends before its tensor.
func (s *Source) complete(r *reader) error {
	end := s.Begin + int64(s.Tensor.Len()*s.Tensor.Type().Size())
	if size, err := r.size(); err == nil && size < end {
		return fmt.Errorf("the data ends after %d bytes of %d: the file is not complete", size, end)
	}
	return nil
}

func (s *Source) retype(as string) error {
	d, err := dtype.Parse(as)
	if err == nil && d.Size() != s.Tensor.Type().Size() {
		err = fmt.Errorf("elements of %s are not bits of %s", s.Tensor.DType, d)
	}
	if err == nil {
		s.Tensor.DType = d.String()
	}
	return err
}

// readNpy reads the header of an .npy file, which begins at a place in the file.
func (s *Source) readNpy(r *io.SectionReader, at int64) error {
	t, big, n, err := parseNpy(r)
	s.Begin, s.Big, s.Tensor = at+n, big, t
	return err
}

func (s *Source) readNpz(r *reader) error {
	size, err := r.size()
	if err != nil {
		return err
	}
	z, err := zip.NewReader(r, size)
	if err != nil {
		return fmt.Errorf("npz: %w", err)
	}
	found := map[string]*zip.File{}
	for _, f := range z.File {
		if name, ok := strings.CutSuffix(f.Name, ".npy"); ok {
			found[name] = f
		}
	}
	f, err := pick(s, found)
	if err != nil {
		return err
	}
	if f.Method != zip.Store {
		return fmt.Errorf("npz: %s is compressed, so that no row can be read without all before it\n\t"+
			"fix: save it with numpy.savez", s.Name)
	}
	at, err := f.DataOffset()
	if err != nil {
		return err
	}
	return s.readNpy(io.NewSectionReader(r, at, int64(f.UncompressedSize64)), at)
}

// pick is what a source's name stands for; without a name, the only one there is.
func pick[T any](s *Source, found map[string]T) (z T, err error) {
	names := slices.Sorted(maps.Keys(found))
	if s.Name == "" && len(names) == 1 {
		s.Name = names[0]
	}
	z, ok := found[s.Name]
	if !ok {
		return z, fmt.Errorf("no tensor %q in it; there is %s\n\tfix: name one, as in FILE#NAME",
			s.Name, strings.Join(names, ", "))
	}
	return z, nil
}

// safetensorsTypes is the dtype of each name in the header of a .safetensors file.
var safetensorsTypes = map[string]dtype.DType{
	"BOOL": dtype.Bool, "I8": dtype.Int8, "I16": dtype.Int16, "I32": dtype.Int32, "I64": dtype.Int64,
	"U8": dtype.Uint8, "U16": dtype.Uint16, "U32": dtype.Uint32, "U64": dtype.Uint64,
	"F8_E5M2": parsed("float8e5"), "F8_E4M3": parsed("float8e4nv"),
	"F16": dtype.Float16, "BF16": dtype.BFloat16, "F32": dtype.Float32, "F64": dtype.Float64,
}

// parsed is a dtype by its name, which the table has as the format of files has its own.
func parsed(name string) dtype.DType {
	d, err := dtype.Parse(name)
	if err != nil {
		panic(err) // a name of the table
	}
	return d
}

// maxHeader is the longest header of a .safetensors file that is read, as the format has it.
const maxHeader = 100 << 20

// stored is an entry of the header of a .safetensors file.
type stored struct {
	DType   string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

func (s *Source) readSafetensors(r *reader) error {
	var length [8]byte
	if _, err := r.ReadAt(length[:], 0); err != nil {
		return errors.New("this is not a .safetensors file")
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > maxHeader {
		return fmt.Errorf("a header of %d bytes: this is not a .safetensors file", n)
	}
	text := make([]byte, n)
	if _, err := r.ReadAt(text, 8); err != nil {
		return errors.New("the file ends within its header")
	}
	raw := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &raw); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	delete(raw, "__metadata__")
	entry, err := pick(s, raw)
	if err != nil {
		return err
	}
	var e stored
	if err := json.Unmarshal(entry, &e); err != nil {
		return fmt.Errorf("header: %s: %w", s.Name, err)
	}
	d, ok := safetensorsTypes[e.DType]
	if !ok {
		return fmt.Errorf("%s: dtype %q is not supported", s.Name, e.DType)
	}
	s.Tensor = cut.Tensor{DType: d.String(), Shape: e.Shape}
	s.Begin = 8 + int64(n) + e.Offsets[0]
	if want := int64(s.Tensor.Len() * d.Size()); e.Offsets[1]-e.Offsets[0] != want || e.Offsets[0] < 0 || want < 0 {
		return fmt.Errorf("header: %s has %d bytes, and its shape %d", s.Name, e.Offsets[1]-e.Offsets[0], want)
	}
	return nil
}

// Read reads a region into memory laid out as the tensor is.
func (s *Source) Read(ctx context.Context, r cut.Region, into []byte) error {
	f, err := openReader(ctx, s.Path)
	if err != nil {
		return err
	}
	defer f.close()
	readers := 1
	if Local(s.Path) {
		readers = min(QueueDepth, r.Rows)
	}
	errs := make(chan error, readers)
	for k := range readers {
		go func() { errs <- s.readRows(ctx, f, r, k*r.Rows/readers, (k+1)*r.Rows/readers, into) }()
	}
	for range readers {
		err = cmp.Or(err, <-errs)
	}
	return err
}

// QueueDepth is how many rows are read at a time: a disk finds several of them in the time of one. What is contiguous
// is read by one, which the system reads ahead of: 16 were a quarter slower.
const QueueDepth = 64

// readRows reads rows lo to hi-1 of a region.
func (s *Source) readRows(ctx context.Context, f *reader, r cut.Region, lo, hi int, into []byte) error {
	size := s.Tensor.Type().Size()
	for i := lo; i < hi; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		row := into[i*r.Stride*size:][:r.Cols*size]
		if _, err := f.ReadAt(row, s.Begin+int64((r.Off+i*r.Stride)*size)); err != nil {
			return fmt.Errorf("%s: reading %s: %w", s.Path, r, err)
		}
		if s.Big && size > 1 {
			for ; len(row) > 0; row = row[size:] {
				slices.Reverse(row[:size])
			}
		}
	}
	return nil
}

// A reader reads anywhere in a file of any of Beam's file systems.
type reader struct {
	ctx  context.Context
	path string
	fs   filesystem.Interface
	open io.ReadCloser
	at   int64 // where the next read of open begins
}

func openReader(ctx context.Context, path string) (*reader, error) {
	if Local(path) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
			return nil, errors.Join(fmt.Errorf("%s is no file", path), f.Close())
		}
		return &reader{ctx: ctx, path: path, open: f}, nil
	}
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return nil, err
	}
	r := &reader{ctx: ctx, path: path, fs: fs}
	if r.open, err = fs.OpenRead(ctx, path); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), fs.Close())
	}
	return r, nil
}

// Local reports whether a path is one of this machine's.
func Local(path string) bool { return !strings.Contains(path, "://") }

func (r *reader) close() {
	_ = r.open.Close() // of what was read
	if r.fs != nil {
		_ = r.fs.Close()
	}
}

func (r *reader) size() (int64, error) {
	if f, ok := r.open.(*os.File); ok {
		info, err := f.Stat()
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	}
	return r.fs.Size(r.ctx, r.path)
}

// ReadAt implements io.ReaderAt. A stream is read on from where it is, and from its beginning if that is too far.
func (r *reader) ReadAt(b []byte, at int64) (int, error) {
	switch f := r.open.(type) {
	case io.ReaderAt:
		return f.ReadAt(b, at)
	case io.Seeker:
		if _, err := f.Seek(at, io.SeekStart); err != nil {
			return 0, err
		}
		return io.ReadFull(r.open, b)
	}
	if at < r.at {
		again, err := r.fs.OpenRead(r.ctx, r.path)
		if err != nil {
			return 0, err
		}
		_ = r.open.Close()
		r.open, r.at = again, 0
	}
	n, err := io.CopyN(io.Discard, r.open, at-r.at)
	if r.at += n; err != nil {
		return 0, err
	}
	got, err := io.ReadFull(r.open, b)
	r.at += int64(got)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return got, err
}
