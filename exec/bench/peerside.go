package bench

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec/bench/peer"
)

// A peerSide is one task of a peer.
type peerSide struct {
	p  *peer.Peer
	id string
}

// newPeerSide has a peer make a task and checks some elements of its result.
func newPeerSide(p *peer.Peer, op string, want answer) (side, error) {
	p.Tasks++
	s := peerSide{p, fmt.Sprint("t", p.Tasks)}
	if _, err := p.Ask("make %s %s", s.id, op); err != nil {
		return nil, err
	}
	if err := s.check(want); err != nil {
		s.close()
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	return s, nil
}

// mostOfPeer is how many elements of a peer's result are compared, at most: they
// travel as text.
const mostOfPeer = 300

func (s peerSide) check(want answer) error {
	if want.n == 0 {
		return nil
	}
	step := want.step(mostOfPeer)
	text, err := s.p.Ask("get %s 0 %d %d", s.id, step, (want.n+step-1)/step)
	if err != nil {
		return err
	}
	for i, field := range strings.Fields(text) {
		got, err := strconv.ParseFloat(field, 32) // what results are
		if err != nil {
			return err
		}
		if w := want.at(i * step); !want.near(got, w) {
			return fmt.Errorf("wrong result: element %d is %v, want %v", i*step, got, w)
		}
	}
	return nil
}

func (s peerSide) run(n int) (float64, error) {
	text, err := s.p.Ask("run %s 0 %d", s.id, n)
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(text, 64)
}

func (s peerSide) close() { s.p.Ask("drop %s", s.id) }
