package bench

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/bench/limit"
	"github.com/tiler-go/tiler/exec/bench/peer"
	"github.com/tiler-go/tiler/exec/cpu"
)

// Options say what is measured; the zero value is everything.
type Options struct {
	Suites  []string       // names of suites; none means all
	Filter  *regexp.Regexp // of "suite case"; nil means all
	Quick   bool           // the rows that matter most, with less patience
	Engine  string         // for rows that do not name theirs; "" is the fastest here
	Threads []int          // instead of what each row says
	Alone   bool           // no peers

	// Pick says which rows of these are measured, counted from 0; nil means all. It is asked of each, in order.
	Pick func(row int) bool

	Progress func(row string) // called before each row is measured; may be nil
}

// Suites names the suites in the order in which they run.
func Suites() (names []string) {
	for _, r := range rows() {
		if !slices.Contains(names, r.name) {
			names = append(names, r.name)
		}
	}
	return names
}

// rows is the whole table.
func rows() []row { return slices.Concat(machine(), table()) }

// Run measures rows and hands each result to report as soon as it is there. Its error
// is what kept it from going on; a row that fails is a result.
func Run(ctx context.Context, o Options, report func(Result)) error {
	s, err := newSession(ctx, o)
	if err != nil {
		return err
	}
	defer s.close()
	number := 0
	for _, r := range rows() {
		if !o.selects(r) {
			continue
		}
		for _, threads := range s.threads(r) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if number++; o.Pick != nil && !o.Pick(number-1) {
				continue
			}
			if o.Progress != nil {
				o.Progress(r.name + " " + r.label)
			}
			report(s.row(r, threads))
		}
	}
	return ctx.Err()
}

func (o Options) selects(r row) bool {
	return (len(o.Suites) == 0 || slices.Contains(o.Suites, r.name)) &&
		(o.Filter == nil || o.Filter.MatchString(r.name+" "+r.label)) && (!o.Quick || r.quick)
}

// A session is one run of the suites.
type session struct {
	ctx   context.Context
	o     Options
	pace  pace
	cores []int // this process may use, in order
	procs int   // threads of Go
	shop  *peer.Workshop
	peers map[peerKey]*peer.Peer
	gone  map[peerKey]error // peers that do not work here
	unpin func()            // lets the thread that measures go
}

type peerKey struct {
	kind    string
	threads int
}

func newSession(ctx context.Context, o Options) (*session, error) {
	engines := exec.Engines()
	if o.Engine == "" {
		o.Engine = engines[len(engines)-1]
	}
	if !slices.Contains(engines, o.Engine) {
		return nil, fmt.Errorf("no engine %q here; there is %v", o.Engine, engines)
	}
	shop, err := peer.NewWorkshop()
	if err != nil {
		return nil, err
	}
	s := &session{ctx: ctx, o: o, pace: fullPace, cores: cores(), procs: runtime.GOMAXPROCS(0), shop: shop, peers: map[peerKey]*peer.Peer{}, gone: map[peerKey]error{}, unpin: func() {}}
	if o.Quick {
		s.pace = quickPace
	}
	return s, nil
}

func (s *session) close() {
	for _, p := range s.peers {
		p.Close()
	}
	s.unpin()
	bind(s.cores)
	runtime.SetDefaultGOMAXPROCS()
	s.shop.Close()
}

// threads are the numbers of threads that a row is measured with here.
func (s *session) threads(r row) (ns []int) {
	ns = r.threads
	if s.o.Threads != nil && len(r.threads) > 1 {
		ns = s.o.Threads
	}
	return slices.DeleteFunc(slices.Clone(ns), func(n int) bool { return n > s.procs })
}

// on is the processors for so many threads.
func (s *session) on(threads int) []int { return s.cores[:min(threads, len(s.cores))] }

// use keeps this process to so many threads and their processors, as peers are kept. Of one
// thread it is the one that measures, and no other: Go's own, which looks twice a millisecond
// after a process that has been idle, would interrupt it on its processor for 8 % of the time.
func (s *session) use(threads int) {
	runtime.GOMAXPROCS(threads)
	s.unpin()
	s.unpin = func() {}
	if threads > 1 {
		bind(s.on(threads))
		return
	}
	bind(s.cores)
	s.unpin = pin(s.on(1))
}

// peer is a process of a kind, started when it is first asked for.
func (s *session) peer(kind string, threads int) (*peer.Peer, error) {
	key := peerKey{kind, threads}
	if p := s.peers[key]; p != nil {
		return p, nil
	}
	if err := s.gone[key]; err != nil {
		return nil, err
	}
	p, err := s.start(kind, threads)
	if err != nil {
		s.gone[key] = err
		return nil, err
	}
	s.peers[key] = p
	return p, nil
}

func (s *session) start(kind string, threads int) (*peer.Peer, error) {
	k, ok := peer.Named(kind)
	if !ok {
		return nil, fmt.Errorf("no peer is called %s", kind)
	}
	commands, err := s.shop.Commands(k)
	if err != nil {
		return nil, err
	}
	for _, c := range commands {
		var p *peer.Peer
		if p, err = peer.Start(s.ctx, kind, c, k.Environment(threads), func(start func() error) error { return startOn(s.on(threads), start) }); err == nil {
			return p, nil
		}
	}
	return nil, err
}

// row measures one row.
func (s *session) row(r row, threads int) Result {
	res := Result{Name: r.name, Case: r.label, Engine: s.engine(r), Threads: threads, Unit: r.unit.name, Peers: map[string]float64{}, Ratio: map[string]float64{}, Missing: map[string]string{}}
	if r.needs != nil {
		res.Skipped = r.needs()
	}
	if free := freeMemory(); res.Skipped == "" && free > 0 && free < (len(r.rivals)+3)*r.bytes {
		res.Skipped = fmt.Sprintf("it needs %d MB of memory, but only %d MB are free", (len(r.rivals)+3)*r.bytes>>20, free>>20)
	}
	if r.engine != "" && !slices.Contains(exec.Engines(), r.engine) {
		res.Skipped = "this machine has no " + r.engine
	}
	if res.Skipped != "" {
		return res
	}
	if r.unit.rate {
		s.use(threads)
	} else {
		s.use(s.procs) // a latency, beside which the garbage collector may run
	}
	e := &entry{s: s, r: r, setup: setup{res.Engine, threads}, res: &res}
	defer e.close()
	if err := e.measure(); err != nil {
		res.Error = err.Error()
	}
	return res
}

func (s *session) engine(r row) string {
	switch {
	case r.engine != "":
		return r.engine
	case r.machine:
		return "machine"
	}
	return s.o.Engine
}

// tier is the instructions of an engine.
func tier(engine string) cpu.Tier {
	if t, err := cpu.Parse(engine); err == nil {
		return t
	}
	return cpu.Best()
}

// An entry is a row being measured.
type entry struct {
	s      *session
	r      row
	setup  setup
	res    *Result
	own    *contender
	limits []*contender
	rivals []*contender
}

func (e *entry) all() []*contender {
	return slices.Concat([]*contender{e.own}, e.limits, e.rivals)
}

func (e *entry) close() {
	if e.own == nil {
		return
	}
	for _, c := range e.all() {
		c.side.close()
	}
	e.own = nil
	runtime.GC() // the next row may need the memory
}

func (e *entry) measure() error {
	var want answer
	own, work, err := e.ownSide(&want)
	if err != nil {
		return err
	}
	e.own = &contender{key: "tiler", side: own, work: work}
	if err := e.addLimits(); err != nil {
		return err
	}
	for _, v := range e.r.rivals {
		e.addRival(v, want)
	}
	if err := measure(e.s.ctx, e.all(), e.s.pace); err != nil {
		return err
	}
	for _, c := range slices.Concat([]*contender{e.own}, e.limits) {
		if c.err != nil {
			return fmt.Errorf("%s: %w", c.key, c.err)
		}
	}
	e.tell()
	return nil
}

// ownSide is tiler's, or the machine's in a row about that.
func (e *entry) ownSide(want *answer) (side, float64, error) {
	if e.r.side != nil {
		s, err := e.r.side(e.setup)
		if l, ok := s.(limitSide); ok {
			return s, l.Work, err
		}
		return s, e.r.work, err
	}
	p := e.r.program()
	*want = p.want
	s, err := newLaunchSide(p, e.setup)
	return s, e.r.work, err
}

// addLimits adds the sides that show what the machine does at most. That they cannot
// be had is no error: the result has no peak then.
func (e *entry) addLimits() error {
	c := e.r.peak
	t := tier(e.setup.engine)
	add := func(l *limit.Limit, err error) error {
		if err == nil {
			e.limits = append(e.limits, &contender{key: "limit", side: limitSide{l}, work: l.Work})
		} else if errors.Is(err, limit.ErrNone) {
			return nil
		}
		return err
	}
	if c.fma != "" {
		return add(limit.MultiplyAdd(limit.Fastest(c.fma, t), t, e.setup.threads))
	}
	for _, kind := range c.memory {
		if err := add(limit.Stream(kind, c.n, t, e.setup.threads)); err != nil {
			return err
		}
	}
	return nil
}

// addRival adds a rival's side, or why it is not there.
func (e *entry) addRival(v rival, want answer) {
	if v.threads != 0 && v.threads != e.setup.threads || v.peer != "" && e.s.o.Alone {
		return
	}
	s, err := e.rivalSide(v, want)
	if err != nil {
		e.res.Missing[v.key] = err.Error()
		return
	}
	e.rivals = append(e.rivals, &contender{key: v.key, side: s, work: e.own.work})
}

func (e *entry) rivalSide(v rival, want answer) (side, error) {
	if v.peer != "" {
		p, err := e.s.peer(v.peer, e.setup.threads)
		if err != nil {
			return nil, err
		}
		want.rel = max(want.rel, v.rel)
		return newPeerSide(p, v.op, want)
	}
	if v.side != nil {
		return v.side(e.setup)
	}
	build := v.program
	if build == nil {
		build = e.r.program
	}
	s := e.setup
	if v.workers != 0 {
		s.threads = v.workers
	}
	return newLaunchSide(build(), s)
}

// tell fills in the result.
func (e *entry) tell() {
	e.res.Value = e.r.unit.value(e.own.work, e.own.seconds())
	e.res.Spread = e.own.spread()
	for _, l := range e.limits {
		if v := e.r.unit.value(l.work, l.seconds()); v > e.res.Peak {
			e.res.Peak, e.res.OfPeak = v, e.own.speedAgainst(l)
		}
	}
	for _, v := range e.rivals {
		if v.err != nil {
			e.res.Missing[v.key] = v.err.Error()
			continue
		}
		e.res.Peers[v.key] = e.r.unit.value(v.work, v.seconds())
		e.res.Ratio[v.key] = e.own.speedAgainst(v)
	}
	e.res.judge(e.r.bars)
}
