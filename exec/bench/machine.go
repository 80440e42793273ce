package bench

import (
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/exec/bench/limit"
	"github.com/tiler-go/tiler/exec/cpu"
)

// machine is the rows about the machine itself: what multiply-adds and passes over
// memory reach at most.
func machine() (all []row) {
	for _, tier := range []cpu.Tier{cpu.AVX2, cpu.AVX512} {
		for _, kind := range []string{"f32", "f64", "bf16", "bf16 in tiles", "int8", "int8 in tiles"} {
			if limit.MultiplyAdds[kind].Wide && tier != cpu.AVX512 {
				continue
			}
			r := row{
				name: "machine", label: fmt.Sprintf("multiply-add %s, %s", kind, tier), machine: true, threads: both, unit: gflops,
				quick: kind != "f64" && tier == cpu.AVX512 || kind == "f32",
				needs: func() string {
					if _, err := limit.MultiplyAdd(kind, tier, 1); err != nil {
						return err.Error()
					}
					return ""
				},
				side: func(s setup) (side, error) { return limitOrError(limit.MultiplyAdd(kind, tier, s.threads)) },
			}
			if strings.HasPrefix(kind, "int8") {
				r.unit = gops
			}
			all = append(all, r)
		}
	}
	for _, m := range []struct {
		level string
		n     int // elements of each array
	}{{"memory", 64 << 20}, {"1 MiB arrays", 1 << 18}, {"8 KiB arrays", 1 << 11}} {
		for _, kind := range []string{"read", "copy", "copynt", "add", "addnt"} {
			if limit.Streams[kind].PastCaches() && m.level != "memory" {
				continue
			}
			all = append(all, row{
				name: "machine", label: fmt.Sprintf("%s, %s", limit.Streams[kind].Name, m.level), machine: true, threads: both, unit: gbytes,
				quick: m.level == "memory" && kind == "copynt", bytes: 4 * m.n,
				needs: func() string {
					if err := limit.Possible(cpu.Best()); err != nil {
						return err.Error()
					}
					return ""
				},
				side: func(s setup) (side, error) { return limitOrError(limit.Stream(kind, m.n, cpu.Best(), s.threads)) },
			})
		}
	}
	return all
}

// A limitSide is what the machine does at most.
type limitSide struct{ *limit.Limit }

func (l limitSide) run(n int) (float64, error) { return l.Run(n) }
func (l limitSide) close()                     { l.Close() }

// limitOrError keeps a nil limit from being a side.
func limitOrError(l *limit.Limit, err error) (side, error) {
	if err != nil {
		return nil, err
	}
	return limitSide{l}, nil
}
