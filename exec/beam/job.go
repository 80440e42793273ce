package tilerbeam

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/tiler-go/tiler/exec/beam/cut"
	"github.com/tiler-go/tiler/exec/beam/files"
)

// A Job is a launch whose tensors are files. It is data: what a worker needs to run any of its pieces.
type Job struct {
	ID      string // of this run
	Launch  cut.Launch
	Hash    string          // of the launch: a worker that reads another one refuses it
	Inputs  []*files.Source // by argument; nil where there is none
	Outputs []*files.Sink   // by argument; nil where there is none
	Memory  int             // bytes of tensors that a worker holds at a time
	Check   bool            // whether a worker checks a program with every sanitizer before it begins
	Workers int             // processes that a worker starts to do its work; 0: it does it itself
	Tasks   int             // how many at most, of which a worker does one after the other; 0: enough for a cluster

	made *plan // by Complete
}

// inFlight is how many pieces a worker has at a time: one is read while one is computed and one is written.
const inFlight = 3

// A plan is a job that was compiled and cut. It is the same wherever it is made.
type plan struct {
	*Job
	program *cut.Program
	pieces  []cut.Piece
	of      int              // how many pieces there are: a process that is given each has no list of them
	places  chan struct{}    // one for each piece in memory: tasks of a job that run side by side share them
	loader  chan *cut.Loader // of one task at a time: so pieces that are read in a row are neighbours
	trial   sync.Mutex
	tried   bool
}

func (j *Job) plan() (*plan, error) {
	p, err := j.compile()
	if err != nil {
		return nil, err
	}
	if p.pieces, err = j.cut(p.program); err != nil {
		return nil, err
	}
	p.of = len(p.pieces)
	return p, nil
}

// compile is a plan without pieces.
func (j *Job) compile() (*plan, error) {
	p, err := cut.Compile(&j.Launch)
	if err != nil {
		return nil, err
	}
	if j.Hash != "" && j.Hash != j.Launch.Hash() {
		return nil, fmt.Errorf("%s: the launch has hash %s, not %s: it is not the one that was submitted",
			j.Launch.File, j.Launch.Hash(), j.Hash)
	}
	p.Limit(j.Memory)
	p.Workers(cores)
	loader := make(chan *cut.Loader, 1)
	loader <- p.Loader()
	return &plan{Job: j, program: p, places: make(chan struct{}, inFlight), loader: loader}, nil
}

// smallest is what pieces are not cut smaller for.
const smallest = 32 << 20

// cut is the pieces: as few as the memory allows, but enough for processes to end at about the same time.
func (j *Job) cut(p *cut.Program) ([]cut.Piece, error) {
	pieces, err := p.Cut(j.Memory, inFlight)
	for m := j.Memory / 2; err == nil && j.Workers > 1 && len(pieces) < perTask*j.Workers && m >= smallest; m /= 2 {
		more, err := p.Cut(m, inFlight)
		if err != nil {
			break // a program needs more
		}
		pieces = more
	}
	return pieces, err
}

// Complete compiles the job, checks that its files go with it, and says how many pieces and rows it has.
func (j *Job) Complete() (pieces, rows int, err error) {
	j.Hash = ""
	p, err := j.plan()
	if err != nil {
		return 0, 0, err
	}
	stores, loads := p.program.Stores(), p.program.Loads()
	for i, a := range j.Launch.Args {
		name := p.program.ArgName(i)
		switch {
		case a.Tensor == nil:
		case stores[i] && j.Outputs[i] == nil:
			return 0, 0, fmt.Errorf("%s stores into %s, and there is no file for it\n\tfix: name one: -o %s=FILE.npy",
				p.program.Name, name, name)
		case !stores[i] && j.Outputs[i] != nil:
			return 0, 0, fmt.Errorf("%s does not store into %s, which %s is for", p.program.Name, name, j.Outputs[i].Path)
		case loads[i] && j.Inputs[i] == nil && !stores[i]:
			return 0, 0, fmt.Errorf("%s loads from %s, and there is no file for it", p.program.Name, name)
		}
	}
	j.Hash, j.made = j.Launch.Hash(), p
	for _, q := range p.pieces {
		rows += p.program.Rows(q)
	}
	return len(p.pieces), rows, nil
}

// Begin prepares the files that are written.
func (j *Job) Begin(ctx context.Context) error {
	for _, o := range j.Outputs {
		if o != nil {
			if err := o.Begin(ctx); err != nil {
				_ = j.Abandon(ctx, 0) // of which there may be nothing
				return err
			}
		}
	}
	return nil
}

// Abandon removes what was written of a job that is not finished.
func (j *Job) Abandon(ctx context.Context, pieces int) (err error) {
	for _, o := range j.Outputs {
		if o != nil {
			err = errors.Join(err, o.Abandon(ctx, pieces))
		}
	}
	return err
}

// finish gives the files their names.
func (p *plan) finish(ctx context.Context) error {
	for i, o := range p.Outputs {
		if o == nil {
			continue
		}
		regions := make([]cut.Region, len(p.pieces))
		for k, q := range p.pieces {
			regions[k] = q.Write[i]
		}
		if err := o.Finish(ctx, regions); err != nil {
			return err
		}
	}
	return nil
}

// store is the files as a piece has them.
func (p *plan) store(piece int) cut.Store { return &store{p.Job, piece} }

type store struct {
	*Job
	piece int
}

// Read implements cut.Store. What is only written begins as zeros.
func (s *store) Read(ctx context.Context, arg int, r cut.Region, into []byte) error {
	if f := s.Inputs[arg]; f != nil {
		return f.Read(ctx, r, into)
	}
	if r.Rows == 1 {
		clear(into)
	}
	return nil
}

// Write implements cut.Store.
func (s *store) Write(ctx context.Context, arg int, r cut.Region, from []byte) error {
	return s.Outputs[arg].Write(ctx, s.piece, r, from)
}

// text is the job as JSON.
func (j *Job) text() (string, error) {
	b, err := json.Marshal(j)
	return string(b), err
}

func parseJob(text string) (*Job, error) {
	j := new(Job)
	return j, json.Unmarshal([]byte(text), j)
}
