package host

import (
	"reflect"
	"runtime"
)

// Channels are operated here, so that waiting ends when the cell is told to stop.

// wait is a receive from what ends the run: the last case of every operation.
func (h *Host) wait() reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(h.now.Load().stopped)}
}

// ended leaves the goroutine, because its run was told to stop.
func (h *Host) leave() { runtime.Goexit() }

// Send is c <- v.
func (h *Host) Send(c, v any) {
	ch := reflect.ValueOf(c)
	if i, _, _ := reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectSend, Chan: ch, Send: element(ch, v)}, h.wait()}); i == 1 {
		h.leave()
	}
}

// element is v as an element of a channel.
func element(ch reflect.Value, v any) reflect.Value {
	if v == nil {
		return reflect.Zero(ch.Type().Elem())
	}
	return reflect.ValueOf(v)
}

// Recv is *p, ok = <-c.
func (h *Host) Recv(p, c any) bool {
	i, v, ok := reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)}, h.wait()})
	if i == 1 {
		h.leave()
	}
	reflect.ValueOf(p).Elem().Set(v)
	return ok
}

// Close is close(c).
func (h *Host) Close(c any) { reflect.ValueOf(c).Close() }

// A Selection is a select statement being decided.
type Selection struct {
	h     *Host
	cases []reflect.SelectCase
	value reflect.Value
	ok    bool
}

// NewSelect begins a select statement.
func (h *Host) NewSelect() *Selection { return &Selection{h: h} }

// Send adds the case c <- v.
func (s *Selection) Send(c, v any) {
	ch := reflect.ValueOf(c)
	s.cases = append(s.cases, reflect.SelectCase{Dir: reflect.SelectSend, Chan: ch, Send: element(ch, v)})
}

// Recv adds the case <-c.
func (s *Selection) Recv(c any) {
	s.cases = append(s.cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)})
}

// Choose is the number of the case that goes on, -1 for default.
func (s *Selection) Choose(wait bool) int {
	last := reflect.SelectCase{Dir: reflect.SelectDefault}
	if wait {
		last = s.h.wait()
	}
	i, v, ok := reflect.Select(append(s.cases, last))
	if i == len(s.cases) {
		if wait {
			s.h.leave()
		}
		return -1
	}
	s.value, s.ok = v, ok
	return i
}

// Received sets *p to what the chosen case received, and is its second value.
func (s *Selection) Received(p any) bool {
	reflect.ValueOf(p).Elem().Set(s.value)
	return s.ok
}
