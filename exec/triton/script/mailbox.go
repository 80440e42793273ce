package script

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A mailbox is memory of both processes through which launches and answers go without a system call,
// while both look. Who stops looking says so in a word, and is then woken by a frame on the socket.
//
// Each word is written by one side only. A side that goes to sleep writes that it does, and looks once
// more; a side that has written a message looks afterwards whether the other sleeps. With a barrier
// between the two on each side, one of them sees the other. Python's is a lock that it takes; its other
// stores are in order on x86 alone, so that it makes no mailbox elsewhere.
type mailbox struct {
	words []uint64
	bytes []byte
	taken uint64 // number of the last request
	gap   time.Duration
	idle  time.Time // since when nothing is to be done
}

// Words of a mailbox, each in a cache line of its own.
const (
	wordRequest = 0  // number of the last request; behind it its length, and how many frames were sent before it
	wordListens = 8  // 1: tiler looks for requests
	wordAnswer  = 16 // number of the last answer; behind it its length, and its kind
	wordSleeps  = 24 // 1: Python waits for a frame
)

const (
	mailboxSize = 128 << 10
	requestAt   = 4 << 10
	answerAt    = 64 << 10
	mostRequest = answerAt - requestAt
	mostAnswer  = mailboxSize - answerAt
	elsewhere   = ^uint64(0) // the length of an answer that is on the socket
)

// How long tiler looks for a request after a launch, if the one before came soon: a core that is idle
// takes longer to wake than the rest of a launch.
const (
	lookFor = 100 * time.Microsecond
	soon    = 2 * lookFor
)

func newMailbox(b []byte) (*mailbox, error) {
	if len(b) != mailboxSize {
		return nil, fmt.Errorf("a mailbox of %d bytes", len(b))
	}
	return &mailbox{words: dtype.View[uint64](dtype.BytesBuf(dtype.Uint64, b)), bytes: b, idle: time.Now()}, nil
}

// alone reports whether there is one processor only: to look would keep Python from it.
func alone() bool { return runtime.GOMAXPROCS(0) < 2 || runtime.NumCPU() < 2 }

// asked reports whether there is a request, and how many frames Python had sent before.
func (m *mailbox) asked() (frames uint64, ok bool) {
	if atomic.LoadUint64(&m.words[wordRequest]) == m.taken {
		return 0, false
	}
	return m.words[wordRequest+2], true
}

// look looks for a request for a while, and ends with the word that nobody does.
func (m *mailbox) look(limit time.Duration) (ok bool) {
	if alone() {
		limit = 0
	}
	if limit > 0 {
		atomic.StoreUint64(&m.words[wordListens], 1)
		_, ok = m.asked()
		for start := time.Now(); !ok && time.Since(start) < limit; {
			yield()
			for i := 0; i < 16 && !ok; i++ {
				_, ok = m.asked()
			}
		}
		atomic.StoreUint64(&m.words[wordListens], 0)
	}
	if !ok {
		_, ok = m.asked() // one that came before Python could see the word
	}
	return ok
}

// patience is how long to look after a launch.
func (m *mailbox) patience() time.Duration {
	if m.gap > soon {
		return 0
	}
	return lookFor
}

// take is the request that is there.
func (m *mailbox) take() (*frame, error) {
	n := m.words[wordRequest+1]
	if n > mostRequest {
		return nil, fmt.Errorf("a request of %d bytes", n)
	}
	m.gap = time.Since(m.idle)
	m.taken = atomic.LoadUint64(&m.words[wordRequest])
	return &frame{kind: ofLaunch, text: append([]byte(nil), m.bytes[requestAt:requestAt+n]...), mailed: true}, nil
}

// answer puts an answer where Python looks, and reports whether Python must be woken. What is too
// long goes over the socket.
func (m *mailbox) answer(kind byte, text []byte) (over, wake bool) {
	over = len(text) > mostAnswer
	n := uint64(copy(m.bytes[answerAt:], text))
	if over {
		n = elsewhere
	}
	if m.patience() > 0 && !alone() {
		atomic.StoreUint64(&m.words[wordListens], 1) // it is looking when Python sees the answer, or soon
	}
	m.words[wordAnswer+1], m.words[wordAnswer+2] = n, uint64(kind)
	atomic.StoreUint64(&m.words[wordAnswer], m.taken)
	m.idle = time.Now()
	return over, !over && atomic.LoadUint64(&m.words[wordSleeps]) != 0
}

// header is the beginning of a message.
func header(kind byte, n int) []byte {
	return append(binary.LittleEndian.AppendUint32(make([]byte, 0, headSize+n), uint32(n)), kind)
}
