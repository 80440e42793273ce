package exec

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/promote"
)

// tuned is a choice as a file holds it.
type tuned struct {
	Kernel, Key string
	Configs     []string        // as text, for the reader
	Median      []time.Duration // 0: rejected
	Best        int
}

// memoryFile is the file of a choice: a hash of everything that it depends on: what the
// kernel means, the configurations, the key, the machine, the build. It is "" if
// nothing is remembered, as for kernels that cannot be compiled.
func (a *Autotuner) memoryFile(key string, full []any) string {
	if a.opts.Memory == "" {
		return ""
	}
	v, err := a.k.variants.Of(a.k.fn, full)
	if err != nil {
		return ""
	}
	facts := fmt.Sprintf("%s\n%s\n%d\n%v\n%s\n%s", cpu.Model(), a.k.opts.CPU, runtime.GOMAXPROCS(0), a.configs, key, v.Text())
	return filepath.Join(a.opts.Memory, promote.Name(a.k.fn.Name, "tuned.", facts))
}

// recall is what an earlier process chose, nil if nothing is known.
func (a *Autotuner) recall(key string, full []any) *Tuning {
	name := a.memoryFile(key, full)
	if name == "" {
		return nil
	}
	text, err := os.ReadFile(name)
	var m tuned
	if err != nil || json.Unmarshal(text, &m) != nil || m.Best < 0 || m.Best >= len(a.configs) || len(m.Median) != len(a.configs) {
		return nil
	}
	t := &Tuning{Kernel: a.k.fn.Name, Key: key, Best: a.configs[m.Best], Remembered: true}
	for i, c := range a.configs {
		r := TuningRow{Config: c, Timing: Timing{Median: m.Median[i], Min: m.Median[i], Max: m.Median[i]}}
		if m.Median[i] == 0 {
			r.Rejected = "rejected in an earlier run"
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// remember notes a choice for later processes. It is a convenience: that it cannot be
// written is told to Trace only.
func (a *Autotuner) remember(key string, full []any, t *Tuning) {
	name := a.memoryFile(key, full)
	if name == "" {
		return
	}
	m := tuned{Kernel: t.Kernel, Key: key}
	for i, r := range t.Rows {
		m.Configs = append(m.Configs, r.Config.String())
		m.Median = append(m.Median, r.Timing.Median)
		if r.Rejected == "" && r.Config.String() == t.Best.String() {
			m.Best = i
		}
	}
	text, err := json.MarshalIndent(m, "", "\t")
	if err == nil {
		err = os.MkdirAll(a.opts.Memory, 0o777)
	}
	if err == nil {
		err = os.WriteFile(name, append(text, '\n'), 0o666)
	}
	if err != nil {
		a.k.trace("tuned", 0, "not saved: %v", err)
	}
}
