package edit

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// Keys that are no characters travel as runes of a private area, which nobody types.
const (
	keyUp rune = 0xF0000 + iota
	keyDown
	keyLeft
	keyRight
	keyHome
	keyEnd
	keyDelete
	keyWordLeft
	keyWordRight
	keyWordDelete
	keyWordBackspace
	keyNewline // begins a line
	keyForce   // the Enter that follows ends the text as it is
	keyRedo
	keyMore // Enter with more characters behind it, which were not typed by hand
	keyBackTab
	keyFirst // the beginning of the history
	keyLast
	keyEscape
	keyPaste // what follows was pasted, until keyPasted
	keyPasted
	keyIgnored
)

// Control characters.
const (
	ctrlA     = 1
	ctrlB     = 2
	ctrlC     = 3
	ctrlD     = 4
	ctrlE     = 5
	ctrlF     = 6
	ctrlG     = 7
	ctrlH     = 8
	tab       = 9
	ctrlJ     = 10
	ctrlK     = 11
	ctrlL     = 12
	enter     = 13
	ctrlO     = 15
	ctrlN     = 14
	ctrlP     = 16
	ctrlR     = 18
	ctrlS     = 19
	ctrlT     = 20
	ctrlU     = 21
	ctrlW     = 23
	ctrlX     = 24
	ctrlY     = 25
	ctrlZ     = 26
	escape    = 27
	backspace = 127

	ctrlUnderscore = 31
)

// sequences is what terminals send for keys: xterm, the Linux console, tmux, screen,
// rxvt.
var sequences = map[string]rune{
	"\x1b[A": keyUp, "\x1b[B": keyDown, "\x1b[C": keyRight, "\x1b[D": keyLeft,
	"\x1bOA": keyUp, "\x1bOB": keyDown, "\x1bOC": keyRight, "\x1bOD": keyLeft,
	"\x1b[H": keyHome, "\x1b[F": keyEnd, "\x1bOH": keyHome, "\x1bOF": keyEnd,
	"\x1b[1~": keyHome, "\x1b[4~": keyEnd, "\x1b[7~": keyHome, "\x1b[8~": keyEnd,
	"\x1b[3~": keyDelete, "\x1b[5~": keyFirst, "\x1b[6~": keyLast,
	"\x1b[1;5C": keyWordRight, "\x1b[1;5D": keyWordLeft, "\x1b[1;3C": keyWordRight, "\x1b[1;3D": keyWordLeft,
	"\x1b[5C": keyWordRight, "\x1b[5D": keyWordLeft, "\x1bOc": keyWordRight, "\x1bOd": keyWordLeft,
	"\x1b[3;5~": keyWordDelete, "\x1b[3;3~": keyWordDelete,
	"\x1bb": keyWordLeft, "\x1bf": keyWordRight, "\x1bd": keyWordDelete,
	"\x1b\x7f": keyWordBackspace, "\x1b\b": keyWordBackspace,
	"\x1b\r": keyForce, "\x1b\n": keyForce, "\x1b[13;3u": keyForce, "\x1b[27;3;13~": keyForce,
	"\x1b[13;2u": keyNewline, "\x1b[27;2;13~": keyNewline, "\x1b_": keyRedo, "\x1b\x1f": keyRedo,
	"\x1b[Z": keyBackTab, "\x1b[200~": keyPaste, "\x1b[201~": keyPasted,
}

// A keyReader turns what a terminal sends into characters and keys, in UTF-8. The line
// editor below it knows few sequences, and takes some for others.
type keyReader struct {
	r       io.Reader
	in, out []byte
	pasting bool
	err     error
}

// Read implements io.Reader.
func (k *keyReader) Read(b []byte) (int, error) {
	for len(k.out) == 0 {
		k.decode(k.err != nil)
		if len(k.out) > 0 {
			break
		}
		if k.err != nil {
			return 0, k.err
		}
		var buf [4096]byte
		n, err := k.r.Read(buf[:])
		k.in, k.err = append(k.in, buf[:n]...), err
	}
	n := copy(b, k.out)
	k.out = k.out[n:]
	return n, nil
}

// Close implements io.Closer.
func (k *keyReader) Close() error {
	if c, ok := k.r.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

func (k *keyReader) put(r rune) { k.out = utf8.AppendRune(k.out, r) }

// decode reads what has come, but for a sequence whose end has not.
func (k *keyReader) decode(last bool) {
	for len(k.in) > 0 {
		n := k.next(last)
		if n == 0 {
			return
		}
		k.in = k.in[n:]
	}
}

// next decodes one key, and is its length; 0 if more must come first.
func (k *keyReader) next(last bool) int {
	switch c := k.in[0]; {
	case c == escape:
		return k.sequence(last)
	case c == enter && !k.pasting && len(k.in) > 1 && k.in[1] != '\n':
		k.put(keyMore)
	case k.pasting && c == enter:
		k.put('\n')
		if len(k.in) > 1 && k.in[1] == '\n' {
			return 2
		}
	case c == ctrlJ && !k.pasting && len(k.in) > 1:
		k.put(keyMore)
	case c == 0:
		k.put(keyIgnored)
	case c < utf8.RuneSelf:
		k.put(rune(c))
	case !utf8.FullRune(k.in) && !last:
		return 0
	default:
		r, n := utf8.DecodeRune(k.in)
		k.put(r)
		return n
	}
	return 1
}

// sequence decodes what begins with an escape character. One at the end of what has
// come is the key of that name: terminals send sequences whole.
func (k *keyReader) sequence(last bool) int {
	n := sequenceLen(k.in)
	text := string(k.in[:min(n, len(k.in))])
	if k.pasting && text != "\x1b[201~" {
		if n > len(k.in) && !last && bytes.HasPrefix([]byte("\x1b[201~"), k.in) {
			return 0
		}
		return 1 // what is pasted has no keys
	}
	if len(k.in) == 1 {
		k.put(keyEscape)
		return 1
	}
	if n > len(k.in) {
		if last {
			return len(k.in)
		}
		return 0
	}
	key, ok := sequences[text]
	switch {
	case !ok:
		key = keyIgnored
	case key == keyPaste:
		k.pasting = true
	case key == keyPasted:
		k.pasting = false
	}
	k.put(key)
	if key == keyForce { // as an Enter of its own, after which the terminal waits
		k.put(enter)
	}
	return n
}

// sequenceLen is how long the sequence at the start of b is, more than b if its end
// has not come.
func sequenceLen(b []byte) int {
	if len(b) < 2 {
		return 2
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e && !(b[i] == '[' && i == 2) {
				return i + 1
			}
		}
		return len(b) + 1
	case 'O':
		return 3
	}
	_, n := utf8.DecodeRune(b[1:])
	return 1 + n
}
