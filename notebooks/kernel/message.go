package kernel

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/tiler-go/tiler/notebooks/kernel/zmtp"
)

// protocolVersion is the version of Jupyter's protocol that is spoken.
const protocolVersion = "5.4"

// delimiter stands between the identities and a message's parts.
const delimiter = "<IDS|MSG>"

// A header says what a message is.
type header struct {
	ID      string `json:"msg_id"`
	Session string `json:"session"`
	User    string `json:"username"`
	Date    string `json:"date"`
	Kind    string `json:"msg_type"`
	Version string `json:"version"`
}

// A request is a message of a client's.
type request struct {
	from    *zmtp.Peer
	ids     [][]byte        // who gets the answer, if others forward it
	header  json.RawMessage // as it came, for the answer
	kind    string
	content json.RawMessage
}

// A codec takes messages apart and puts them together, with their signatures.
type codec struct {
	key     []byte // without one nothing is signed
	session string
	seen    signatures
}

func newCodec(key string) *codec {
	return &codec{key: []byte(key), session: newID(), seen: signatures{known: map[string]bool{}}}
}

// reply is the envelope of an answer to a request, and the answer.
func (c *codec) reply(m request, kind string, content any) [][]byte {
	return slices.Concat(m.ids, c.encode(kind, m.header, content))
}

// decode takes a message apart. One that is not signed with the key is an error, and so
// is one that came before: somebody recorded it.
func (c *codec) decode(from *zmtp.Peer, frames [][]byte) (m request, err error) {
	at := 0
	for at < len(frames) && string(frames[at]) != delimiter {
		at++
	}
	if len(frames) < at+6 {
		return m, errors.New("half a message")
	}
	signature, parts := frames[at+1], frames[at+2:at+6]
	if len(c.key) > 0 {
		if !hmac.Equal(c.sign(parts), signature) {
			return m, errors.New("a wrong signature")
		}
		if !c.seen.add(string(signature)) {
			return m, errors.New("a message that came before")
		}
	}
	var h header
	if err := json.Unmarshal(parts[0], &h); err != nil {
		return m, fmt.Errorf("a header that is none: %w", err)
	}
	if h.Kind == "" || !json.Valid(parts[3]) {
		return m, errors.New("a message without a type or content")
	}
	return request{from: from, ids: frames[:at], header: parts[0], kind: h.Kind, content: parts[3]}, nil
}

// sign is the signature of a message's parts.
func (c *codec) sign(parts [][]byte) []byte {
	if len(c.key) == 0 {
		return nil
	}
	h := hmac.New(sha256.New, c.key)
	for _, p := range parts {
		h.Write(p)
	}
	return hex.AppendEncode(nil, h.Sum(nil))
}

// encode puts a message together that is about another, if parent is not nil.
func (c *codec) encode(kind string, parent json.RawMessage, content any) [][]byte {
	if parent == nil {
		parent = json.RawMessage("{}")
	}
	now := time.Now().UTC().Format("2006-01-02T15:04:05.000000Z")
	parts := [][]byte{
		encodeJSON(header{newID(), c.session, "tiler", now, kind, protocolVersion}),
		parent, []byte("{}"), encodeJSON(content),
	}
	return append([][]byte{[]byte(delimiter), c.sign(parts)}, parts...)
}

// encodeJSON is a value as JSON. What a kernel sends can always be written so.
func encodeJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func newID() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// signatures is the last signatures that came.
type signatures struct {
	mu    sync.Mutex
	known map[string]bool
	order []string
}

const mostSignatures = 1 << 16

// add notes a signature, and reports whether it is new.
func (s *signatures) add(signature string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known[signature] {
		return false
	}
	s.known[signature] = true
	s.order = append(s.order, signature)
	if len(s.order) > mostSignatures {
		delete(s.known, s.order[0])
		s.order = s.order[1:]
	}
	return true
}
