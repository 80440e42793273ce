package cell

import "sync"

// A gate keeps goroutines of earlier cells from reading what is defined while a cell is compiled. It is open while one
// runs.
type gate struct {
	mu    sync.Mutex
	state sync.RWMutex
}

// lock begins what changes the definitions. While the interpreter runs other
// goroutines may read them.
func (g *gate) lock() {
	g.mu.Lock()
	g.state.Lock()
}

func (g *gate) unlock() {
	g.state.Unlock()
	g.mu.Unlock()
}

// read calls what reads the definitions, on a goroutine of the program.
func (g *gate) read(what func()) {
	g.state.RLock()
	defer g.state.RUnlock()
	what()
}

// run calls what runs the interpreter. While it runs other goroutines may read the definitions.
func (g *gate) run(what func() error) error {
	g.state.Unlock()
	defer g.state.Lock()
	return what()
}
