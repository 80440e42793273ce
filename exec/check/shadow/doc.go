// Package shadow is shadow memory: for each element who wrote and who read it last, and which accesses are ordered by
// atomics. Those that are not, of which one writes, are a race.
package shadow
