package zmtp

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// opening is what a client of a socket says first.
var opening = string(greeting()) + string(command("READY", property("Socket-Type", "DEALER")))

// FuzzPeer: whatever a client sends, in whichever pieces, its connection ends with an error when
// it has hung up, and no message is larger than is allowed.
func FuzzPeer(f *testing.F) {
	for _, text := range []string{
		"", "\xff", opening[:20], opening,
		opening + "\x00\x05hello",
		opening + "\x01\x01a\x00\x01b",
		opening + "\x00\x05hal",
		opening + "\x02\x7f\xff\xff\xff\xff\xff\xff\xff",
		opening + strings.Repeat("\x01\x00", maxFrames+1),
		opening + "\x04\x06\x05ERROR",
		opening + "\x04\x07\x04PING\x00\x00",
		opening + "\x04\x05\x04PING",
		opening + "\x04\x00",
	} {
		f.Add([]byte(text), uint8(len(text)))
	}
	f.Fuzz(func(t *testing.T, text []byte, at uint8) {
		client, server := net.Pipe()
		p := newPeer(server)
		go p.writeAll()
		go io.Copy(io.Discard, client) // what the kernel says
		go func() {
			cut := min(int(at), len(text))
			client.Write(text[:cut])
			client.Write(text[cut:])
			client.Close()
		}()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			defer p.Close()
			if p.handshake(Router) != nil {
				return
			}
			for {
				frames, err := p.message()
				if err != nil {
					return
				}
				size := 0
				for _, frame := range frames {
					size += len(frame)
				}
				if len(frames) > maxFrames || size > maxMessage {
					t.Errorf("a message of %d frames and %d bytes", len(frames), size)
				}
			}
		}()
		select {
		case <-ended:
		case <-time.After(30 * time.Second):
			t.Error("the connection does not end")
		}
		client.Close()
	})
}
