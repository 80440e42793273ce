package nb

import (
	"encoding/gob"
	"errors"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// A pipe is what package gonbui has with gonb: outputs go one way, acknowledgments come
// back on the other. Linking gonbui itself, with what it brings (network, identifiers,
// logging), would take a fifth of the time in which a cell is built.
//
// A cell may use gonbui as well. Both write then, and gonb reads one stream, in which a
// type may be described once; so what is sent here has types of its own. But only one of
// them can read what comes back, and that is left to gonbui.
type pipe struct {
	mu   sync.Mutex
	to   *os.File
	enc  *gob.Encoder
	sent int      // requests for acknowledgment
	acks chan int // nil if gonbui reads them
	err  error    // what ended it: there is no second try
}

// output is protocol.DisplayData.
type output struct{ Data map[mime]any }

type mime string

// inNotebook reports whether gonb runs this program.
func inNotebook() bool { return os.Getenv(protocol.GONB_PIPE_ENV) != "" }

// gonb is the pipe of this program, opened when it is needed.
var gonb = sync.OnceValue(func() *pipe { return openPipe(!linksGonbui()) })

// linksGonbui reports whether this program may have package gonbui, whose log is a module
// that nothing else here needs. A test does not know what it is made of.
func linksGonbui() bool {
	info, ok := debug.ReadBuildInfo()
	return !ok || len(info.Deps) == 0 || slices.ContainsFunc(info.Deps, func(m *debug.Module) bool { return m.Path == "k8s.io/klog/v2" })
}

func openPipe(alone bool) *pipe {
	p := &pipe{}
	if p.to, p.err = os.OpenFile(os.Getenv(protocol.GONB_PIPE_ENV), os.O_WRONLY, 0); p.err != nil {
		return p
	}
	p.enc = gob.NewEncoder(p.to)
	if !alone {
		return p
	}
	from, err := os.Open(os.Getenv(protocol.GONB_PIPE_BACK_ENV))
	if err != nil {
		p.err = err
		return p
	}
	p.acks = make(chan int)
	go p.read(from)
	return p
}

// read passes acknowledgments on until there are no more. Other messages are for programs
// that asked for them.
func (p *pipe) read(from *os.File) {
	defer close(p.acks)
	for dec := gob.NewDecoder(from); ; {
		var m protocol.CommValue
		if dec.Decode(&m) != nil {
			return
		}
		if n, ok := m.Value.(int); ok && m.Address == protocol.GonbuiSyncAckAddress {
			p.acks <- n
		}
	}
}

// show gives the notebook an output and returns when it has it, so that what is printed
// after it comes after it.
func (p *pipe) show(data map[mime]any) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = p.enc.Encode(output{data})
	}
	if p.err == nil {
		p.err = p.arrived()
	}
	return p.err
}

// patience is how long an acknowledgment may take. If gonb does not answer, the order is
// not worth a cell that never ends.
const patience = 5 * time.Second

// arrived waits until gonb has what was sent.
func (p *pipe) arrived() error {
	if p.acks == nil {
		whenRead(p.to)
		return nil
	}
	p.sent++
	request := protocol.CommValue{Address: protocol.GonbuiSyncAddress, Value: p.sent}
	if err := p.enc.Encode(output{map[mime]any{mime(protocol.MIMECommValue): request}}); err != nil {
		return err
	}
	for late := time.After(patience); ; {
		select {
		case n, ok := <-p.acks:
			if !ok {
				return errors.New("gonb closed its pipe")
			}
			if n == p.sent {
				return nil
			}
		case <-late:
			return nil
		}
	}
}
