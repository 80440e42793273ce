package tilerbeam

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/tiler-go/tiler/exec/beam/cut"
)

func init() {
	register.DoFn3x1[context.Context, Task, func(int, int), error](&piecesFn{})
	register.DoFn4x1[context.Context, int, func(*int) bool, func(string), error](&finishFn{})
	register.Emitter2[int, int]()
	register.Emitter1[string]()
	register.Iter1[int]()
	beam.RegisterType(reflect.TypeFor[Task]())
}

// A Task is pieces Lo to Hi-1 of a job.
type Task struct{ Lo, Hi int }

// A task has pieces enough to read one while another is computed and one is written, in each of a worker's processes;
// and there are no more tasks than keep the workers of a cluster busy.
const (
	mostTasks = 256
	perTask   = 4 * inFlight
)

// tasks is n pieces in tasks, at most so many, for workers of some processes.
func tasks(n, processes, most int) (all []Task) {
	k := max(1, min(most, n/(perTask*max(1, processes))))
	for i := range min(k, n) {
		all = append(all, Task{i * n / k, (i + 1) * n / k})
	}
	return all
}

// Run adds a job that is Complete, and has Begun, to a pipeline. The collection has one element when its files are
// there: how many pieces they were made of.
func Run(s beam.Scope, j *Job, pieces int) (beam.PCollection, error) {
	text, err := j.text()
	if err != nil {
		return beam.PCollection{}, err
	}
	if j.made != nil {
		made := &starting{}
		made.once.Do(func() { made.job = j.made.running(text) })
		started.LoadOrStore(text, made)
	}
	s = s.Scope("tiler." + j.Launch.Kernel)
	most := j.Tasks
	if most == 0 {
		most = mostTasks
	}
	todo := beam.Reshuffle(s, beam.CreateList(s, tasks(pieces, j.Workers, most)))
	done := beam.ParDo(s, &piecesFn{Job: text}, todo)
	return beam.ParDo(s, &finishFn{Job: text, Pieces: pieces}, beam.GroupByKey(s, done)), nil
}

// piecesFn runs pieces.
type piecesFn struct {
	Job string

	job *running
}

// Setup compiles the kernel here; it is tried on the first piece that comes.
func (f *piecesFn) Setup() (err error) {
	f.job, err = start(f.Job)
	return err
}

// ProcessElement runs a task's pieces, and emits the number of each.
func (f *piecesFn) ProcessElement(ctx context.Context, t Task, emit func(int, int)) error {
	w := watching(f.job.plan)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(w.ctx, func() { cancel(context.Cause(w.ctx)) })()
	rows := beam.NewCounter("tiler", "rows")
	err := f.job.run(ctx, t, func(piece int) error {
		n := f.job.program.Rows(f.job.pieces[piece])
		rows.Inc(ctx, int64(n))
		w.done(n)
		emit(0, piece)
		return nil
	})
	return w.failed(err)
}

// finishFn gives the files their names.
type finishFn struct {
	Job    string
	Pieces int
}

// ProcessElement is told of all pieces that are done.
func (f *finishFn) ProcessElement(ctx context.Context, _ int, done func(*int) bool, emit func(string)) error {
	p, err := start(f.Job)
	if err != nil {
		return err
	}
	w := watching(p.plan)
	have := make([]bool, f.Pieces)
	for i := 0; done(&i); {
		have[i] = true
	}
	if i := slices.Index(have, false); i >= 0 || f.Pieces != len(p.pieces) {
		return w.failed(fmt.Errorf("piece %d of %d was not written", i+1, len(p.pieces)))
	}
	if err := p.finish(ctx); err != nil {
		return w.failed(err)
	}
	w.complete.Store(true)
	emit(fmt.Sprintf("%s: %d pieces", p.program.Name, len(p.pieces)))
	return nil
}

// A running is a job on this worker: in this process, or in processes that it started.
type running struct {
	*plan
	children *children
}

// started is the jobs of this process, by what they are: a worker sets a DoFn up many times.
var started sync.Map

type starting struct {
	once sync.Once
	job  *running
	err  error
}

func start(text string) (*running, error) {
	v, _ := started.LoadOrStore(text, &starting{})
	s := v.(*starting)
	s.once.Do(func() { s.job, s.err = begin(text) })
	return s.job, s.err
}

func begin(text string) (*running, error) {
	j, err := parseJob(text)
	if err != nil {
		return nil, err
	}
	p, err := j.plan()
	if err != nil {
		return nil, err
	}
	return p.running(text), nil
}

func (p *plan) running(text string) *running {
	r := &running{plan: p}
	if p.Workers > 0 {
		r.children = newChildren(p, text)
	}
	return r
}

// run runs the pieces of a task.
func (r *running) run(ctx context.Context, t Task, done func(piece int) error) error {
	if r.children != nil {
		return r.children.run(ctx, t, done)
	}
	todo := make(chan cut.Piece, t.Hi-t.Lo)
	for _, q := range r.pieces[t.Lo:t.Hi] {
		todo <- q
	}
	close(todo)
	return r.plan.run(ctx, todo, done)
}

// A Watch is told, in the process that submits a job, of work that is done in the same process, and can end it.
type Watch struct {
	ctx      context.Context
	rows     atomic.Int64
	first    atomic.Pointer[error]
	complete atomic.Bool
}

var watches sync.Map // by the job's ID

// WatchJob watches a job until end is called. When ctx is done its pieces end.
func WatchJob(ctx context.Context, j *Job) (w *Watch, end func()) {
	w = &Watch{ctx: ctx}
	watches.Store(j.ID, w)
	return w, func() { watches.Delete(j.ID) }
}

// watching is who watches a job here; somebody nobody asks if nobody does.
func watching(p *plan) *Watch {
	if w, ok := watches.Load(p.ID); ok {
		return w.(*Watch)
	}
	return &Watch{ctx: context.Background()}
}

func (w *Watch) done(rows int) { w.rows.Add(int64(rows)) }

// failed notes the first error, and is it.
func (w *Watch) failed(err error) error {
	if err != nil {
		w.first.CompareAndSwap(nil, &err)
	}
	return err
}

// Rows is how many rows were written here.
func (w *Watch) Rows() int { return int(w.rows.Load()) }

// Complete reports whether the files were given their names here.
func (w *Watch) Complete() bool { return w.complete.Load() }

// Err is the first error here, without what Beam adds to it.
func (w *Watch) Err() error {
	if e := w.first.Load(); e != nil {
		return *e
	}
	return nil
}
