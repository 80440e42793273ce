// Package golden is the conformance run: it executes recorded cases of what real
// Triton gave, op by op, in an engine, and compares.
//
// A case is a kernel (kernels.go) with arguments from a zip of .npy files; how
// exactly its outputs must agree is part of the case.
package golden

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Suite is the cases of one zip file.
type Suite struct {
	Cases []*Case
	zip   *zip.Reader
	files map[string]*zip.File
}

// A Case is one kernel run.
type Case struct {
	Name       string           `json:"name"`
	Op         string           `json:"op"`
	Attrs      map[string]any   `json:"attrs"`
	In         map[string]Array `json:"in"`
	Out        map[string]Array `json:"out"`
	Params     map[string]int   `json:"params"`
	Grid       []int            `json:"grid"`
	Tol        string           `json:"tol"`
	Subnormals string           `json:"subnormals"`
}

// An Array is a tensor of a case. After says that the kernel changes it.
type Array struct {
	DType string `json:"dtype"`
	Shape []int  `json:"shape"`
	After bool   `json:"after"`
}

// Open reads the manifest of a zip file of the given size.
func Open(r io.ReaderAt, size int64) (*Suite, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, err
	}
	s := &Suite{zip: z, files: map[string]*zip.File{}}
	for _, f := range z.File {
		s.files[f.Name] = f
	}
	text, err := s.read("manifest.json")
	if err != nil {
		return nil, err
	}
	var m struct{ Cases []*Case }
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("manifest.json: %w", err)
	}
	for i, c := range m.Cases {
		if c == nil {
			return nil, fmt.Errorf("manifest.json: case %d is null", i)
		}
	}
	s.Cases = m.Cases
	return s, nil
}

// maxFile is how long a file in an archive may be.
const maxFile = 64 << 20

func (s *Suite) read(name string) ([]byte, error) {
	f := s.files[name]
	if f == nil {
		return nil, fmt.Errorf("no %s in the archive", name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s inflates to over %d MiB", name, maxFile>>20)
	}
	return text, err
}

// tensor loads an array of a case, as the dtype that the manifest names.
func (s *Suite) tensor(c *Case, name string, a Array) (*tensor.Tensor, error) {
	file := strings.ReplaceAll(c.Name, ",", "_") + "/" + name + ".npy"
	text, err := s.read(file)
	if err != nil {
		return nil, err
	}
	d, err := dtype.Parse(a.DType)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	x, err := tensor.ReadNpyAs(bytes.NewReader(text), d)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return x, nil
}

// A Result is how a suite went in one engine.
type Result struct {
	Engine                  string
	Passed, Failed, Skipped int
	Failures                []Failure
}

// A Failure is a case that did not pass, and why.
type Failure struct{ Name, Why string }

// String is the line that the conformance run prints, then one per failure.
func (r Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "golden: engine=%s passed=%d failed=%d skipped=%d\n", r.Engine, r.Passed, r.Failed, r.Skipped)
	for _, f := range r.Failures {
		fmt.Fprintf(&b, "%s: %s\n", f.Name, f.Why)
	}
	return b.String()
}

// Run executes every case in an engine.
func (s *Suite) Run(engine string) Result {
	r := Result{Engine: engine}
	for _, c := range s.Cases {
		if err := s.run(c, engine); err != nil {
			r.Failed++
			r.Failures = append(r.Failures, Failure{c.Name, err.Error()})
			continue
		}
		r.Passed++
	}
	return r
}

// run executes one case: inputs from the archive, outputs compared with it.
func (s *Suite) run(c *Case, engine string) error {
	t, original, err := s.execute(c, engine)
	if err != nil {
		return err
	}
	return s.compare(c, t, original)
}

// execute runs a case's kernel and gives its arrays, and the inputs as they were.
func (s *Suite) execute(c *Case, engine string) (t, original map[string]*tensor.Tensor, err error) {
	k, ok := kernelOf(c)
	if !ok {
		return nil, nil, fmt.Errorf("no kernel for op %q", c.Op)
	}
	t, original = map[string]*tensor.Tensor{}, map[string]*tensor.Tensor{}
	for name, a := range c.In {
		x, err := s.tensor(c, name, a)
		if err != nil {
			return nil, nil, err
		}
		t[name] = x
	}
	for name, a := range c.Out {
		d, err := dtype.Parse(a.DType)
		if err != nil {
			return nil, nil, err
		}
		t[name] = tensor.Zeros(d, a.Shape...)
	}
	if held := t["z0"]; held != nil {
		t["z"].CopyFrom(held) // what z holds before
	}
	for name := range c.In {
		original[name] = t[name].Clone()
	}
	return t, original, launch(k, engine, c, t)
}

func (s *Suite) compare(c *Case, t, original map[string]*tensor.Tensor) error {
	for name, a := range c.Out {
		want, err := s.tensor(c, name, a)
		if err != nil {
			return err
		}
		if err := c.check(name, t[name], want, original); err != nil {
			return err
		}
	}
	for name, a := range c.In {
		want := original[name]
		if a.After {
			after, err := s.tensor(c, name+".after", a)
			if err != nil {
				return err
			}
			want = after
		}
		if !tensor.Equal(t[name], want) {
			return fmt.Errorf("%s after the kernel is not what it should be", name)
		}
	}
	return nil
}

// Engines are the engines of this machine, in the order they are checked.
func Engines() []string { return exec.Engines() }
