package trace

import "strings"

// A place is a launch, one of its recorded instances, and a step of that, by number.
type place [3]int

// opening is where the page of a trace opens: at the access that failed; where none did, at
// a launch that failed before it began; otherwise at the first load, or the first access of
// another kind.
func (t *Trace) opening() place {
	for l, launch := range t.Launches {
		for i, in := range launch.Instances {
			if in.Failure != nil {
				return place{l, i, max(0, len(in.Steps)-1)}
			}
		}
	}
	for l, launch := range t.Launches {
		if launch.Failure != nil && len(launch.Instances) == 0 {
			return place{l, 0, 0}
		}
	}
	for _, kinds := range []string{"load", "load store atomic"} {
		if p, ok := t.first(kinds); ok {
			return p
		}
	}
	return place{}
}

// first is the first step with an access of one of some kinds.
func (t *Trace) first(kinds string) (place, bool) {
	for l, launch := range t.Launches {
		for i, in := range launch.Instances {
			for s, step := range in.Steps {
				for _, a := range step.Accesses {
					if strings.Contains(kinds, a.Kind) {
						return place{l, i, s}, true
					}
				}
			}
		}
	}
	return place{}, false
}
