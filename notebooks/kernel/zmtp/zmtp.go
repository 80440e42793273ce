// Package zmtp is as much of ZeroMQ's wire protocol, ZMTP 3.1, as a Jupyter kernel needs:
// sockets that wait for clients over TCP, as ROUTER, REP or XPUB, without encryption.
//
// A socket trusts nobody. A client has a few seconds for its greeting; a message has a
// greatest size, and memory is taken as its bytes arrive, not as it announces them; who
// does not read what it is sent is cut off. Whatever a client does wrong costs it its
// connection, and nothing else.
//
// Sending does not wait for the client, up to a number of messages: many read what is
// published only when their question is answered.
package zmtp

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"
)

// Limits of what a client may do.
const (
	handshakeTime = 5 * time.Second // from the connection to READY
	writeTime     = 5 * time.Second // for a message to be taken, once too many wait
	maxWaiting    = 1 << 11         // messages to be read
	drainTime     = time.Second     // for what waits at the end
	maxMessage    = 64 << 20        // bytes
	maxFrames     = 1 << 10         // of a message
)

// Flags of a frame.
const (
	flagMore    = 1 << iota // another frame of the message follows
	flagLong                // its size has eight bytes
	flagCommand             // it is a command, and no message
)

// greetingSize is the size of what both sides begin with.
const greetingSize = 64

// greeting is a signature, the version and the mechanism.
func greeting() []byte {
	g := make([]byte, greetingSize)
	g[0], g[9] = 0xff, 0x7f
	g[10], g[11] = 3, 1
	copy(g[12:], "NULL")
	return g
}

// checkGreeting is what is wrong with a client's greeting.
func checkGreeting(g []byte) error {
	mechanism := string(bytes.TrimRight(g[12:32], "\x00"))
	switch {
	case g[0] != 0xff || g[9]&1 == 0:
		return errors.New("zmtp: got no signature of ZeroMQ")
	case g[10] < 3:
		return fmt.Errorf("zmtp: got version %d, want 3", g[10])
	case mechanism != "NULL":
		return fmt.Errorf("zmtp: got mechanism %q, want NULL", mechanism)
	}
	return nil
}

// A Peer is a client's connection.
type Peer struct {
	conn     net.Conn
	in       *bufio.Reader
	identity string
	out      chan []byte   // what is to be written; nil: all is
	written  chan struct{} // closed when nothing is written any more
	closed   chan struct{}
	once     sync.Once // of closing
	topics   topics
}

func newPeer(conn net.Conn) *Peer {
	return &Peer{
		conn: conn, in: bufio.NewReader(conn), out: make(chan []byte, maxWaiting),
		written: make(chan struct{}), closed: make(chan struct{}),
	}
}

// Identity is what the client calls itself, the same on all of its sockets; "" if it says
// nothing.
func (p *Peer) Identity() string { return p.identity }

// Close ends the connection.
func (p *Peer) Close() {
	p.once.Do(func() {
		close(p.closed)
		_ = p.conn.Close()
	})
}

// drain waits until everything is written, but not for long.
func (p *Peer) drain() {
	late := time.After(drainTime)
	select {
	case p.out <- nil:
	case <-late:
	}
	select {
	case <-p.written:
	case <-p.closed:
	case <-late:
	}
}

// writeAll writes what is put, until the connection ends.
func (p *Peer) writeAll() {
	defer close(p.written)
	for {
		select {
		case b := <-p.out:
			if b == nil {
				return
			}
			if _, err := p.conn.Write(b); err != nil {
				p.Close() // half a message cannot be followed by another
				return
			}
		case <-p.closed:
			return
		}
	}
}

var errClosed = errors.New("zmtp: the connection has ended")

// put makes bytes wait to be written. A client that does not read is cut off.
func (p *Peer) put(b []byte) error {
	select {
	case p.out <- b:
		return nil
	case <-p.closed:
		return errClosed
	default:
	}
	late := time.NewTimer(writeTime)
	defer late.Stop()
	select {
	case p.out <- b:
		return nil
	case <-p.closed:
	case <-late.C:
		p.Close()
	}
	return errClosed
}

// handshake greets, and tells one another the kind of socket.
func (p *Peer) handshake(k Kind) error {
	if err := p.conn.SetDeadline(time.Now().Add(handshakeTime)); err != nil {
		return err
	}
	if err := p.put(greeting()); err != nil {
		return err
	}
	theirs := make([]byte, greetingSize)
	if _, err := io.ReadFull(p.in, theirs); err != nil {
		return err
	}
	if err := checkGreeting(theirs); err != nil {
		return err
	}
	if err := p.put(command("READY", property("Socket-Type", string(k)))); err != nil {
		return err
	}
	if err := p.ready(k); err != nil {
		return err
	}
	return p.conn.SetDeadline(time.Time{})
}

// ready reads the client's READY.
func (p *Peer) ready(k Kind) error {
	flags, body, err := p.frame(greetingSize * 16)
	if err != nil {
		return err
	}
	name, rest, ok := cutCommand(body)
	if flags&flagCommand == 0 || !ok || name != "READY" {
		return errors.New("zmtp: got no READY")
	}
	properties, err := readProperties(rest)
	if err != nil {
		return err
	}
	p.identity = properties["identity"]
	if other := properties["socket-type"]; !k.talksTo(other) {
		return fmt.Errorf("zmtp: a %s socket does not talk to a %q one", k, other)
	}
	return nil
}

// frame reads one frame of at most a number of bytes.
func (p *Peer) frame(most int) (flags byte, body []byte, err error) {
	if flags, err = p.in.ReadByte(); err != nil {
		return 0, nil, err
	}
	if flags&^(flagMore|flagLong|flagCommand) != 0 {
		return 0, nil, fmt.Errorf("zmtp: got flags %#x of a frame", flags)
	}
	size := make([]byte, 1, 8)
	if flags&flagLong != 0 {
		size = size[:8]
	}
	if _, err = io.ReadFull(p.in, size); err != nil {
		return 0, nil, err
	}
	n := uint64(size[0])
	if flags&flagLong != 0 {
		n = binary.BigEndian.Uint64(size)
	}
	if n > uint64(most) {
		return 0, nil, fmt.Errorf("zmtp: got a frame of %d bytes, more than %d", n, most)
	}
	var b bytes.Buffer // grows with what arrives
	if _, err = io.CopyN(&b, p.in, int64(n)); err != nil {
		return 0, nil, err
	}
	return flags, b.Bytes(), nil
}

// message reads one message. Commands on the way to it are obeyed.
func (p *Peer) message() (frames [][]byte, err error) {
	for left := maxMessage; ; {
		flags, body, err := p.frame(left)
		switch {
		case err != nil:
			return nil, err
		case flags&flagCommand != 0:
			if err := p.obey(body); err != nil {
				return nil, err
			}
			continue
		}
		frames, left = append(frames, body), left-len(body)
		if flags&flagMore == 0 {
			return frames, nil
		}
		if len(frames) == maxFrames {
			return nil, fmt.Errorf("zmtp: got a message of more than %d frames", maxFrames)
		}
	}
}

// obey does what a command says; those of later versions are passed over.
func (p *Peer) obey(body []byte) error {
	name, rest, ok := cutCommand(body)
	if !ok {
		return errors.New("zmtp: got a command without a name")
	}
	switch name {
	case "SUBSCRIBE":
		p.topics.add(string(rest))
	case "CANCEL":
		p.topics.remove(string(rest))
	case "PING":
		if len(rest) < 2 {
			return errors.New("zmtp: got half a PING")
		}
		return p.put(command("PONG", rest[2:])) // after the time that it lives
	case "ERROR":
		return errors.New("zmtp: the client reports an error")
	}
	return nil
}

// Send sends a message.
func (p *Peer) Send(frames [][]byte) error {
	var b []byte
	for i, f := range frames {
		var flags byte
		if i < len(frames)-1 {
			flags = flagMore
		}
		b = appendFrame(b, flags, f)
	}
	return p.put(b)
}

func appendFrame(b []byte, flags byte, body []byte) []byte {
	if len(body) > 0xff {
		b = binary.BigEndian.AppendUint64(append(b, flags|flagLong), uint64(len(body)))
	} else {
		b = append(b, flags, byte(len(body)))
	}
	return append(b, body...)
}

// command is a command's frame.
func command(name string, body []byte) []byte {
	return appendFrame(nil, flagCommand, append(append([]byte{byte(len(name))}, name...), body...))
}

// cutCommand is a command's name, and what follows it.
func cutCommand(body []byte) (name string, rest []byte, ok bool) {
	if len(body) == 0 || len(body) < 1+int(body[0]) {
		return "", nil, false
	}
	n := 1 + int(body[0])
	return string(body[1:n]), body[n:], true
}

// property is a name and a value of READY.
func property(name, value string) []byte {
	b := append([]byte{byte(len(name))}, name...)
	return append(binary.BigEndian.AppendUint32(b, uint32(len(value))), value...)
}

// readProperties is the properties of READY. Their names are the same in capitals.
func readProperties(b []byte) (map[string]string, error) {
	list := map[string]string{}
	for len(b) > 0 {
		name, rest, ok := cutCommand(b) // it is written in the same way
		if !ok || len(rest) < 4 {
			return nil, errors.New("zmtp: got half a property")
		}
		n := uint64(binary.BigEndian.Uint32(rest))
		if rest = rest[4:]; uint64(len(rest)) < n {
			return nil, errors.New("zmtp: got half a property")
		}
		list[strings.ToLower(name)], b = string(rest[:n]), rest[n:]
	}
	return list, nil
}
