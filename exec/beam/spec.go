package tilerbeam

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec/beam/cut"
	"github.com/tiler-go/tiler/exec/beam/files"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Spec is a job as a command line says it.
type Spec struct {
	File    string   // FILE.go or FILE.py, with :KERNEL if it has several
	Grid    string   // N[,N[,N]]
	Args    []string // PARAM=VALUE, or values of the parameters that nothing else names, in order
	Outputs []string // [PARAM=]FILE[:DTYPE][DIMS]; without PARAM, for the parameters that are left, in order
	Memory  int
	Check   bool
	Workers int
}

// Job reads the files' headers and makes the job.
func (s Spec) Job(ctx context.Context) (*Job, error) {
	file, kernel := s.File, ""
	if i := strings.LastIndex(file, ":"); i > 1 {
		file, kernel = file[:i], file[i+1:]
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	name, params, err := cut.Params(file, string(text), kernel)
	if err != nil {
		return nil, err
	}
	id := make([]byte, 6)
	_, _ = rand.Read(id) // which never fails
	j := &Job{ID: hex.EncodeToString(id), Memory: s.Memory, Check: s.Check, Workers: s.Workers}
	j.Launch = cut.Launch{File: file, Text: string(text), Kernel: name}
	for n := range strings.SplitSeq(s.Grid, ",") {
		v, err := strconv.Atoi(n)
		if err != nil {
			return nil, fmt.Errorf("-grid: got %q, want one to three numbers such as 64,64", s.Grid)
		}
		j.Launch.Grid = append(j.Launch.Grid, v)
	}
	return j, (&filling{j, params, make([]bool, len(params))}).fill(ctx, s)
}

// A filling gives parameters their arguments.
type filling struct {
	*Job
	params []string
	given  []bool
}

func (f *filling) fill(ctx context.Context, s Spec) error {
	f.Launch.Args = make([]cut.Arg, len(f.params))
	f.Inputs, f.Outputs = make([]*files.Source, len(f.params)), make([]*files.Sink, len(f.params))
	outputs := map[int]string{}
	var later []string // outputs without a name
	for _, o := range s.Outputs {
		name, path, ok := strings.Cut(o, "=")
		if !ok {
			later = append(later, o)
			continue
		}
		i, err := f.param(name)
		if err != nil {
			return err
		}
		outputs[i] = path
	}
	var values []string
	for _, a := range s.Args {
		name, value, ok := strings.Cut(a, "=")
		if !ok {
			values = append(values, a)
			continue
		}
		i, err := f.param(name)
		if err == nil {
			err = f.set(ctx, i, value)
		}
		if err != nil {
			return err
		}
	}
	next := func(what string) (int, error) {
		for i, given := range f.given {
			if !given && outputs[i] == "" {
				return i, nil
			}
		}
		return 0, fmt.Errorf("%s: every parameter of %s has an argument", what, f.Launch.Kernel)
	}
	for _, v := range values {
		i, err := next(v)
		if err == nil {
			err = f.set(ctx, i, v)
		}
		if err != nil {
			return err
		}
	}
	for _, o := range later {
		i, err := next("-o " + o)
		if err != nil {
			return err
		}
		outputs[i] = o
	}
	for i, o := range outputs {
		if err := f.output(i, o); err != nil {
			return err
		}
	}
	if i := slices.Index(f.given, false); i >= 0 {
		return fmt.Errorf("%s of %s has no argument\n\tfix: add %s=VALUE, or -o %s=FILE.npy if it is a result",
			f.params[i], f.Launch.Kernel, f.params[i], f.params[i])
	}
	return f.distinct()
}

// param is the number of a parameter.
func (f *filling) param(name string) (int, error) {
	if i := slices.Index(f.params, name); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("%s has no parameter %s; there is %s", f.Launch.Kernel, name, strings.Join(f.params, ", "))
}

// set gives a parameter a value.
func (f *filling) set(ctx context.Context, i int, value string) error {
	if f.given[i] {
		return fmt.Errorf("%s is given twice", f.params[i])
	}
	f.given[i] = true
	a := &f.Launch.Args[i]
	if path, as, ok := filePath(value); ok {
		src, err := files.Open(ctx, path, as)
		if err != nil {
			return err
		}
		f.Inputs[i], a.Tensor = src, &src.Tensor
		return nil
	}
	*a = parseValue(value)
	return nil
}

// parseValue is an argument that is no tensor.
func parseValue(text string) (a cut.Arg) {
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		a.Int = &n
	} else if x, err := strconv.ParseFloat(text, 64); err == nil {
		a.Float = &x
	} else if b, err := strconv.ParseBool(text); err == nil {
		a.Bool = &b
	} else if text != "nil" && text != "None" {
		a.Text = &text
	}
	return a
}

var filePattern = regexp.MustCompile(`^(.+\.(?:npy|npz|safetensors)(?:#[^:]*)?)(?::([a-z0-9]+))?((?:\[[0-9,]*\])?)$`)

// filePath is a value as a file, and the dtype behind it.
func filePath(value string) (path, as string, ok bool) {
	m := filePattern.FindStringSubmatch(value)
	if m == nil || m[3] != "" {
		return "", "", false
	}
	return m[1], m[2], true
}

// output gives a parameter a file for its results.
func (f *filling) output(i int, text string) (err error) {
	m := filePattern.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("-o %s: want FILE.npy, FILE.npz or FILE.safetensors, "+
			"with :DTYPE and [SIZE,SIZE] if it is not like the first tensor", text)
	}
	t := f.Launch.Args[i].Tensor
	if t == nil {
		if t = f.first(); t == nil && (m[2] == "" || m[3] == "") {
			return fmt.Errorf("-o %s: its dtype and size are not known\n\t"+
				"fix: write them behind it, as in out.npy:f32[64,128]", text)
		}
		if t == nil {
			t = &cut.Tensor{}
		}
		t = &cut.Tensor{DType: t.DType, Shape: t.Shape}
	}
	if m[2] != "" {
		d, err := dtype.Parse(m[2])
		if err != nil {
			return fmt.Errorf("-o %s: %w", text, err)
		}
		t.DType = d.String()
	}
	if m[3] != "" {
		t.Shape = []int{}
		for n := range strings.SplitSeq(strings.Trim(m[3], "[]"), ",") {
			v, err := strconv.Atoi(n)
			if err != nil {
				return fmt.Errorf("-o %s: got the size %q", text, n)
			}
			t.Shape = append(t.Shape, v)
		}
	}
	f.given[i], f.Launch.Args[i].Tensor = true, t
	f.Outputs[i], err = files.NewSink(m[1], *t, f.ID, f.Inputs[i])
	return err
}

// first is the first tensor.
func (f *filling) first() *cut.Tensor {
	for i, a := range f.Launch.Args {
		if a.Tensor != nil && f.Inputs[i] != nil {
			return a.Tensor
		}
	}
	return nil
}

// distinct refuses a file that two results are for.
func (f *filling) distinct() error {
	seen := map[string]bool{}
	for _, o := range f.Outputs {
		if o == nil {
			continue
		}
		if seen[o.Path] {
			return fmt.Errorf("two results go to %s", o.Path)
		}
		seen[o.Path] = true
	}
	return nil
}

// Written is nil if the files of the results are there, complete.
func (j *Job) Written() error {
	for _, o := range j.Outputs {
		if o == nil {
			continue
		}
		if _, err := os.Stat(o.Path); files.Local(o.Path) && err != nil {
			return errors.Join(errors.New("the job ended without its results"), err)
		}
	}
	return nil
}
