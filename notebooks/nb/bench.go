package nb

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"
)

// A Row is one measurement. It reads the rows that `tiler bench -json` prints.
type Row struct {
	Name   string             `json:"name"`   // what was measured
	Case   string             `json:"case"`   // on what; rows of one case stand together
	Engine string             `json:"engine"` // that ran it
	Value  float64            `json:"value"`
	Unit   string             `json:"unit"`
	Peak   float64            `json:"peak"`  // the most that the machine can do; 0 if not known
	Peers  map[string]float64 `json:"peers"` // the same work done by others
}

// A Timing is work to measure.
type Timing struct {
	Name, Case string
	Work       float64 // of one run, in operations or bytes; 0 measures time
	Unit       string  // of a billion of them per second: "GF/s", "GB/s"
	Run        func() error
}

// Measure runs each a few times in turns, so that what disturbs the machine disturbs all,
// and gives the medians: rates where the work is given, else milliseconds.
func Measure(list ...Timing) ([]Row, error) {
	const rounds, least = 7, 20 * time.Millisecond
	times := make([][]float64, len(list))
	for range rounds {
		for i, t := range list {
			n, began := 0, time.Now()
			for n == 0 || time.Since(began) < least {
				if err := t.Run(); err != nil {
					return nil, fmt.Errorf("%s: %w", t.Name, err)
				}
				n++
			}
			times[i] = append(times[i], time.Since(began).Seconds()/float64(n))
		}
	}
	rows := make([]Row, len(list))
	for i, t := range list {
		slices.Sort(times[i])
		median := times[i][rounds/2]
		rows[i] = Row{Name: t.Name, Case: t.Case, Value: median * 1e3, Unit: "ms"}
		if t.Work > 0 {
			rows[i].Value, rows[i].Unit = t.Work/median/1e9, t.Unit
		}
	}
	return rows, nil
}

// Bench shows measurements as bars, the peers of a row below it.
func Bench(rows []Row) {
	bars := barsOf(rows)
	text := barsText(bars)
	if !inNotebook() {
		io.WriteString(stdout, text)
		return
	}
	class := "tiler-times" // numbers differ from run to run
	for _, r := range rows {
		if r.Peers != nil {
			class = "tiler-machine" // so do rows, with what the machine has
		}
	}
	send(barsPicture(bars, text).HTML(), text, class)
}

// A bar is one value of a plot. A bar without a value is a heading.
type bar struct {
	label string
	value float64
	unit  string
	hue   int // which of several things it is
	peak  float64
}

// barsOf is headings and bars. What has one name has one hue.
func barsOf(rows []Row) (bars []bar) {
	var names []string
	hue := func(name string) int {
		i := slices.Index(names, name)
		if i < 0 {
			i = len(names)
			names = append(names, name)
		}
		return i
	}
	at := "\x00"
	for _, r := range rows {
		if r.Case != at && r.Case != "" {
			bars = append(bars, bar{label: r.Case})
		}
		at = r.Case
		name := r.Name
		if r.Engine != "" {
			name += " (" + r.Engine + ")"
		}
		bars = append(bars, bar{name, r.Value, r.Unit, hue(r.Name), r.Peak})
		var peers []string
		for p := range r.Peers {
			peers = append(peers, p)
		}
		slices.Sort(peers)
		for _, p := range peers {
			bars = append(bars, bar{p, r.Peers[p], r.Unit, hue(p), 0})
		}
	}
	return bars
}

// greatest is the end of the scale.
func greatest(bars []bar) (most float64) {
	for _, b := range bars {
		most = max(most, b.value, b.peak)
	}
	return most
}

func number(v float64) string {
	switch {
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 1:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}
