package bench

// A Result is a row of the table as it was measured. Its JSON is one line of
// tiler bench -json.
type Result struct {
	Name    string  `json:"name"`
	Case    string  `json:"case"`
	Engine  string  `json:"engine"`
	Threads int     `json:"threads"`
	Value   float64 `json:"value"` // median
	Unit    string  `json:"unit"`
	Spread  float64 `json:"spread"` // distance of the quartiles, in parts of the value
	// Peak is the machine's limit for this row in its unit, and OfPeak the part of it
	// that was reached; 0 if there is none.
	Peak   float64 `json:"peak,omitempty"`
	OfPeak float64 `json:"of_peak,omitempty"`
	// Peers is what rivals reached, in the row's unit; Ratio is how many times as fast
	// as each of them the row was.
	Peers map[string]float64 `json:"peers"`
	Ratio map[string]float64 `json:"ratio"`
	Goals []Goal             `json:"goals,omitempty"`
	// Missing is the rivals that were not there, and why.
	Missing map[string]string `json:"missing,omitempty"`
	// Skipped is what the machine lacks for this row, Error what went wrong.
	Skipped string `json:"skipped,omitempty"`
	Error   string `json:"error,omitempty"`
}

// A Goal is what a row is to reach.
type Goal struct {
	Against string  `json:"against"` // a peer or "peak": Least of its speed; or "": a value of at most Most
	Least   float64 `json:"least,omitempty"`
	Most    float64 `json:"most,omitempty"`
	Got     float64 `json:"got"`
	Met     bool    `json:"met"`
}

// judge compares the result with a row's bars. One against a peer that is not there
// is left out.
func (r *Result) judge(bars []bar) {
	for _, b := range bars {
		if b.threads != 0 && b.threads != r.Threads {
			continue
		}
		g := Goal{Against: b.against, Least: b.least, Most: b.most}
		switch b.against {
		case "":
			g.Got, g.Met = r.Value, r.Value <= b.most
		case "peak":
			g.Got, g.Met = r.OfPeak, r.OfPeak >= b.least
			if r.Peak == 0 {
				continue
			}
		default:
			ratio, ok := r.Ratio[b.against]
			g.Got, g.Met = ratio, ratio >= b.least
			if !ok {
				continue
			}
		}
		r.Goals = append(r.Goals, g)
	}
}

// Short is the goals that were missed.
func (r Result) Short() (missed []Goal) {
	for _, g := range r.Goals {
		if !g.Met {
			missed = append(missed, g)
		}
	}
	return missed
}
