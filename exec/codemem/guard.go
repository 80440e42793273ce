package codemem

import (
	"fmt"
	"os"
)

// Guard is memory between two pages that must not be touched, for tests: an access before or behind a buffer faults.
type Guard struct {
	mem  []byte // guard page, data pages, guard page
	n    int    // bytes asked for
	page int
}

// NewGuard maps n bytes between guard pages.
func NewGuard(n int) (*Guard, error) {
	if !memSupported {
		return nil, errNotSupported
	}
	if n <= 0 {
		return nil, fmt.Errorf("codemem: guarded buffer of %d bytes", n)
	}
	g := &Guard{n: n, page: os.Getpagesize()}
	var err error
	if g.mem, err = mapPages(pagesFor(n) + 2*g.page); err != nil {
		return nil, fmt.Errorf("codemem: map guarded buffer: %w", err)
	}
	for _, edge := range [][]byte{g.mem[:g.page], g.mem[len(g.mem)-g.page:]} {
		if err := protect(edge, protNone); err != nil {
			return nil, fmt.Errorf("codemem: protect guard page: %w", err)
		}
	}
	return g, nil
}

// Head is the buffer that begins right behind the first guard page.
func (g *Guard) Head() []byte { return g.mem[g.page : g.page+g.n : g.page+g.n] }

// Tail is the buffer that ends right before the last guard page. It overlaps Head.
func (g *Guard) Tail() []byte {
	end := len(g.mem) - g.page
	return g.mem[end-g.n : end : end]
}

// Free unmaps the memory.
func (g *Guard) Free() error { return unmapPages(g.mem) }
