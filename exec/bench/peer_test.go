package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/bench/peer"
)

// fakePeer answers lines as a table says and records them.
func fakePeer(t *testing.T, answers map[string]string) (*peer.Peer, *[]string) {
	t.Helper()
	toPeer, in := io.Pipe()
	out, fromPeer := io.Pipe()
	var heard []string
	go func() {
		defer fromPeer.Close()
		for s := bufio.NewScanner(toPeer); s.Scan(); {
			heard = append(heard, s.Text())
			verb, _, _ := strings.Cut(s.Text(), " ")
			fmt.Fprintln(fromPeer, answers[verb])
		}
	}()
	p := peer.On("fake", in, out)
	t.Cleanup(p.Close)
	return p, &heard
}

var three = answer{n: 3, at: func(i int) float64 { return float64(i) + 0.5 }}

func TestPeerSide(t *testing.T) {
	p, heard := fakePeer(t, map[string]string{"make": "ok", "get": "ok 0.5 1.5 2.5", "run": "ok 0.25", "drop": "ok"})
	s, err := newPeerSide(p, "gemm m=2", three)
	if err != nil {
		t.Fatal(err)
	}
	if took, err := s.run(7); err != nil || took != 0.25 {
		t.Errorf("run took %v, error %v; want 0.25", took, err)
	}
	s.close()
	want := "make t1 gemm m=2|get t1 0 1 3|run t1 0 7|drop t1"
	if got := strings.Join(*heard, "|"); got != want {
		t.Errorf("the peer heard\n%s, want\n%s", got, want)
	}
}

func TestPeerFailures(t *testing.T) {
	for _, c := range []struct {
		answers map[string]string
		want    string
	}{
		{map[string]string{"make": "error no such op"}, "fake: no such op"},
		{map[string]string{"make": "nonsense"}, `fake: answered "nonsense"`},
		{map[string]string{"make": "ok", "get": "ok 0.5 9 2.5", "drop": "ok"}, "fake: wrong result: element 1 is 9, want 1.5"},
		{map[string]string{"make": "ok", "get": "ok x", "drop": "ok"}, "invalid syntax"},
	} {
		p, _ := fakePeer(t, c.answers)
		if _, err := newPeerSide(p, "gemm", three); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	p, _ := fakePeer(t, nil)
	p.Close()
	if _, err := p.Ask("make t1 gemm"); err == nil {
		t.Error("a peer that has ended must be an error")
	}
}

// TestPeersOfThisMachine runs the real peers' programs on small work, those that work
// here.
func TestPeersOfThisMachine(t *testing.T) {
	if os.Getenv("TILER_LONG") == "" {
		t.Skip("TILER_LONG=1 starts processes of Python and C")
	}
	if _, err := osexec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	s, err := newSession(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	ops := map[string]program{
		"gemm m=32 n=30 k=40 values=fine":           blocksProgram(size{32, 30, 40}, tlFloat32, tlFloat32, false),
		"add n=1000":                                programAdd(1000, 1024),
		"softmax rows=7 cols=33":                    programSoftmax(7, 33),
		"layernorm rows=7 cols=33":                  programLayernorm(7, 33),
		"attention heads=2 n=40 head=16":            programAttention(2, 40, 16, 16, 16),
		"gemm m=20 n=30 k=40 dtype=int8":            programInt8(size{20, 30, 40}, size{16, 16, 16}),
		"gemm m=64 n=64 k=64 values=coarse":         blocksProgram(size{64, 64, 64}, tlFloat32, tlFloat32, true),
		"gemm m=64 n=64 k=64 values=fine dtype=f32": blocksProgram(size{64, 64, 64}, tlFloat32, tlFloat32, false),
	}
	for _, k := range peer.Kinds {
		for _, threads := range []int{1, 2} {
			p, err := s.peer(k.Name, threads)
			if err != nil {
				t.Logf("%s: not here: %v", k.Name, err)
				continue
			}
			for op, program := range ops {
				side, err := newPeerSide(p, op, program.want)
				switch {
				case err == nil:
					if took, err := side.run(3); err != nil || !(took > 0) {
						t.Errorf("%s: %s took %v, error %v", k.Name, op, took, err)
					}
					side.close()
				case strings.Contains(op, "int8") && k.Name != "onednn": // the others do not know it, or not always
				case !strings.Contains(err.Error(), "no op") && !strings.Contains(err.Error(), "no such op"):
					t.Errorf("%s: %s: %v", k.Name, op, err)
				}
			}
		}
	}
}
