package tune

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"
)

// tuned is a choice as a file holds it.
type tuned struct {
	Kernel, Key string
	Configs     []string        // as text, for the reader
	Median      []time.Duration // 0: rejected
	Best        int
}

// Recall is what an earlier process left of a choice in a file, nil if nothing is known.
func Recall(file, kernel, key string, configs []Config) *Tuning {
	text, err := os.ReadFile(file)
	var m tuned
	if err != nil || json.Unmarshal(text, &m) != nil || m.Best < 0 || m.Best >= len(configs) || len(m.Median) != len(configs) {
		return nil
	}
	t := &Tuning{Kernel: kernel, Key: key, Best: configs[m.Best], Remembered: true}
	for i, c := range configs {
		r := TuningRow{Config: c, Timing: Timing{Median: m.Median[i], Min: m.Median[i], Max: m.Median[i]}}
		if m.Median[i] == 0 {
			r.Rejected = "rejected in an earlier run"
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// Remember leaves a choice in a file for later processes.
func Remember(file string, t *Tuning) error {
	m := tuned{Kernel: t.Kernel, Key: t.Key}
	for i, r := range t.Rows {
		m.Configs = append(m.Configs, r.Config.String())
		m.Median = append(m.Median, r.Timing.Median)
		if r.Rejected == "" && r.Config.String() == t.Best.String() {
			m.Best = i
		}
	}
	text, err := json.MarshalIndent(m, "", "\t")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o777)
	}
	if err == nil {
		err = os.WriteFile(file, append(text, '\n'), 0o666)
	}
	return err
}
