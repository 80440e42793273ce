package cpu

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
)

// Cache describes one level as one core sees it.
type Cache struct {
	Size int // bytes
	Ways int // associativity
	Line int // bytes
	// SharedBy is the number of logical processors that share it, as far as the processor tells; at least 1.
	SharedBy int
}

// Sets is the number of sets: addresses that are Sets*Line bytes apart compete for Ways places.
func (c Cache) Sets() int { return c.Size / (c.Ways * c.Line) }

// Share is one processor's part of the cache, in bytes.
func (c Cache) Share() int { return c.Size / c.SharedBy }

// Caches are the data caches.
type Caches struct{ L1, L2, L3 Cache }

// defaultCaches is what blocking assumes where the processor does not tell: small enough not to be wrong by much on
// any machine of the last ten years.
var defaultCaches = Caches{
	L1: Cache{Size: 32 << 10, Ways: 8, Line: 64, SharedBy: 1},
	L2: Cache{Size: 512 << 10, Ways: 8, Line: 64, SharedBy: 1},
	L3: Cache{Size: 8 << 20, Ways: 16, Line: 64, SharedBy: 8},
}

// info is what was found out at start.
type info struct {
	features Features
	off      Features // what the machine has beside them
	tier     Tier
	caches   Caches
	vendor   string
	model    string
}

// without is what is left when the extensions that off picks are not to be used.
func (i info) without(off func(have Features) Features) info {
	i.off = off(i.features)
	i.features &^= i.off
	i.tier = i.features.tier()
	return i
}

// detected asks once, when something is first wanted to be known: under a hypervisor each question is slow.
var detected = sync.OnceValue(func() *info {
	i := detect()
	return &i
})

// CacheSizes describes the data caches; levels that the processor does not describe have default values.
func CacheSizes() Caches { return detected().caches }

// Vendor is the processor's maker as it names itself (GenuineIntel, AuthenticAMD), or "".
func Vendor() string { return detected().vendor }

// Model is the processor's name, never empty.
func Model() string { return detected().model }

// Count is the number of processors that this process may use at once. It is read anew each time,
// since the runtime follows changes of affinity and quotas.
func Count() int { return min(runtime.NumCPU(), runtime.GOMAXPROCS(0)) }

// Describe is a few lines for people.
func Describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d usable, best tier %v\n", Model(), Count(), Best())
	c := CacheSizes()
	fmt.Fprintf(&b, "caches: L1d %s %d-way, L2 %s, L3 %s\n", kib(c.L1.Size), c.L1.Ways, kib(c.L2.Size), kib(c.L3.Size))
	if f := Detected(); f != 0 {
		fmt.Fprintf(&b, "extensions: %v\n", f)
	}
	if f := SwitchedOff(); f != 0 {
		fmt.Fprintf(&b, "switched off by GODEBUG: %v\n", f)
	}
	return b.String()
}

func kib(n int) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d KiB", n>>10)
}

// fill replaces the levels of c that are not described.
func (c Caches) fill() Caches {
	for _, p := range []struct{ c, d *Cache }{{&c.L1, &defaultCaches.L1}, {&c.L2, &defaultCaches.L2}, {&c.L3, &defaultCaches.L3}} {
		if p.c.Size <= 0 || p.c.Ways <= 0 || p.c.Line <= 0 {
			*p.c = *p.d
		}
		p.c.SharedBy = max(p.c.SharedBy, 1)
	}
	return c
}
