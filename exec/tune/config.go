package tune

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Config is values for some of a kernel's parameters, by name: for those that decide
// how fast it is and not what it computes.
type Config map[string]any

// String is the values in order of their names: BLOCK_K=32 BLOCK_M=64.
func (c Config) String() string {
	parts := make([]string, 0, len(c))
	for _, name := range slices.Sorted(maps.Keys(c)) {
		parts = append(parts, fmt.Sprintf("%s=%v", name, c[name]))
	}
	return strings.Join(parts, " ")
}
