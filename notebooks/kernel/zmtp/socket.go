package zmtp

import (
	"net"
	"slices"
	"strings"
	"sync"
)

// A Kind is what a socket does with messages.
type Kind string

// The kinds of sockets.
const (
	Router  Kind = "ROUTER" // answers each client
	Reply   Kind = "REP"    // the same, one question at a time
	Publish Kind = "XPUB"   // sends to all who subscribed
)

// clients is the kinds of sockets that may connect to each.
var clients = map[Kind][]string{
	Router:  {"DEALER", "REQ", "ROUTER"},
	Reply:   {"REQ", "DEALER"},
	Publish: {"SUB", "XSUB"},
}

func (k Kind) talksTo(other string) bool { return slices.Contains(clients[k], other) }

// maxPeers is how many clients a socket has at most.
const maxPeers = 256

// A Handler is told what happens at a socket, each client's news on a goroutine of its own.
type Handler struct {
	Message    func(p *Peer, frames [][]byte)
	Subscribed func(p *Peer, topic string)
}

// A Socket waits for clients.
type Socket struct {
	kind     Kind
	handler  Handler
	listener net.Listener

	mu    sync.Mutex
	peers map[*Peer]bool
}

// Listen begins to wait for clients at a TCP address.
func Listen(kind Kind, addr string, h Handler) (*Socket, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := &Socket{kind: kind, handler: h, listener: l, peers: map[*Peer]bool{}}
	go s.accept()
	return s, nil
}

// Close ends all connections when what was sent is written, and waits for no more.
func (s *Socket) Close() error {
	err := s.listener.Close()
	var all sync.WaitGroup
	for _, p := range s.list() {
		all.Go(func() {
			p.drain()
			p.Close()
		})
	}
	all.Wait()
	return err
}

func (s *Socket) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return // closed
		}
		p := newPeer(conn)
		if !s.join(p) {
			p.Close()
			continue
		}
		go p.writeAll()
		go func() {
			defer s.leave(p)
			s.serve(p)
		}()
	}
}

// serve hands on what a client sends, until it leaves or does something wrong.
func (s *Socket) serve(p *Peer) {
	if s.kind == Publish {
		p.topics.added = func(topic string) { s.handler.Subscribed(p, topic) }
	}
	if p.handshake(s.kind) != nil {
		return
	}
	for {
		frames, err := p.message()
		if err != nil {
			return
		}
		if s.kind == Publish {
			p.topics.message(frames)
		} else {
			s.handler.Message(p, frames)
		}
	}
}

func (s *Socket) join(p *Peer) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.peers) >= maxPeers {
		return false
	}
	s.peers[p] = true
	return true
}

func (s *Socket) leave(p *Peer) {
	p.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.peers, p)
}

func (s *Socket) list() (list []*Peer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := range s.peers {
		list = append(list, p)
	}
	return list
}

// Send sends a message to all who subscribed to a topic that its first frame begins with.
func (s *Socket) Send(frames [][]byte) {
	for _, p := range s.list() {
		if p.topics.match(string(frames[0])) {
			_ = p.Send(frames) // who does not read leaves
		}
	}
}

// SendTo sends a message to the clients of an identity, and reports whether there is one.
func (s *Socket) SendTo(identity string, frames [][]byte) (sent bool) {
	for _, p := range s.list() {
		if p.identity == identity && p.Send(frames) == nil {
			sent = true
		}
	}
	return sent
}

// Topics is what a client subscribed to, each as often as it did.
type topics struct {
	mu    sync.Mutex
	list  []string
	added func(topic string)
}

const maxTopics = 1 << 10

func (t *topics) add(topic string) {
	t.mu.Lock()
	full := len(t.list) >= maxTopics
	if !full {
		t.list = append(t.list, topic)
	}
	t.mu.Unlock()
	if !full && t.added != nil {
		t.added(topic)
	}
}

func (t *topics) remove(topic string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.list, topic); i >= 0 {
		t.list = slices.Delete(t.list, i, i+1)
	}
}

// message is a subscription as version 3.0 sends it: a byte that says whether it begins
// or ends, and the topic.
func (t *topics) message(frames [][]byte) {
	if len(frames) != 1 || len(frames[0]) == 0 {
		return
	}
	topic := string(frames[0][1:])
	switch frames[0][0] {
	case 1:
		t.add(topic)
	case 0:
		t.remove(topic)
	}
}

func (t *topics) match(text string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.ContainsFunc(t.list, func(topic string) bool { return strings.HasPrefix(text, topic) })
}
