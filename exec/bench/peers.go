package bench

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec/bench/peer"
)

// A Peer is what a machine has of one of the peers.
type Peer struct {
	Name    string `json:"name"`
	About   string `json:"about"`
	Version string `json:"version,omitempty"` // "" if it does not work here
	Problem string `json:"problem,omitempty"` // why not
	Install string `json:"install"`           // how to get it: one command a line, any of which does
}

// Peers starts every peer once, to see whether it works.
func Peers(ctx context.Context) ([]Peer, error) {
	s, err := newSession(ctx, Options{})
	if err != nil {
		return nil, err
	}
	defer s.close()
	var all []Peer
	for _, k := range peer.Kinds {
		p := Peer{Name: k.Name, About: k.About, Install: k.Install()}
		if running, err := s.peer(k.Name, 1); err != nil {
			p.Problem = err.Error()
		} else {
			p.Version = running.Version
		}
		all = append(all, p)
	}
	return all, ctx.Err()
}

// WritePeers writes what there is, and how to get what is missing.
func WritePeers(w io.Writer, peers []Peer) {
	for _, p := range peers {
		if p.Problem == "" {
			fmt.Fprintf(w, "%-9s %s\n", p.Name, p.Version)
			continue
		}
		fmt.Fprintf(w, "%-9s missing: %s\n%-9s it is %s; to install it:\n", p.Name, p.Problem, "", p.About)
		for line := range strings.Lines(p.Install) {
			fmt.Fprintf(w, "%-9s     %s\n", "", strings.TrimSpace(line))
		}
	}
	missing := func(p Peer) bool { return p.Problem != "" }
	if !slices.ContainsFunc(peers, missing) {
		fmt.Fprintln(w, "all peers are installed")
	}
}
