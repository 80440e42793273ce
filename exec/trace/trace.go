package trace

// A Trace is the record of one run of a program.
type Trace struct {
	File     string    `json:"file"`
	Source   string    `json:"source"`
	Launches []*Launch `json:"launches"`
	Notes    []string  `json:"notes"` // what is not in it, and how to have it
}

// A Launch is a kernel's launch over a grid.
type Launch struct {
	Kernel    string      `json:"kernel"`
	Grid      []int       `json:"grid"`
	Args      []Arg       `json:"args"`
	Ran       int         `json:"ran"` // programs that returned or failed
	Instances []*Instance `json:"instances"`
	Failure   *Failure    `json:"failure,omitempty"`
	Prints    []Footprint `json:"prints"` // of the programs that ran, in their order
	undrawn   int         // programs that ran and have no footprint, for want of room
}

// Programs is how many instances the grid has.
func (l *Launch) Programs() int {
	n := 1
	for _, k := range l.Grid {
		n *= k
	}
	return n
}

// An Arg is an argument of a launch: a tensor, or a value.
type Arg struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Value   string `json:"value,omitempty"`
	Tensor  bool   `json:"tensor,omitempty"`
	Shape   []int  `json:"shape"` // of a tensor, as Strides
	Strides []int  `json:"strides"`
}

// An Instance is one program of a launch.
type Instance struct {
	ID      []int    `json:"id"`
	Steps   []Step   `json:"steps"`
	LeftOut int      `json:"leftOut,omitempty"` // steps that came after those of the record
	Failure *Failure `json:"failure,omitempty"` // what ended it, at the last step
	Ended   bool     `json:"ended"`             // it returned or failed
}

// A Failure is what ended an instance, or kept a launch from starting.
type Failure struct {
	Program []int  `json:"program,omitempty"`
	Line    int    `json:"line,omitempty"`
	Text    string `json:"text"`
}

// A Step is a statement that was carried out, or an access that belongs to none: in a
// condition, in a function that the kernel calls, or where the kernel failed.
type Step struct {
	Line     int      `json:"line"`
	Vars     []Var    `json:"vars,omitempty"`
	Accesses []Access `json:"accesses,omitempty"`
}

// A Var is a variable that a step gave a value to.
type Var struct {
	Name   string `json:"name"`
	Type   string `json:"type"` // the dtype of a tile, the Go type of any other value
	Tile   bool   `json:"tile,omitempty"`
	Of     string `json:"of,omitempty"`    // the tensor that pointers point into
	Shape  []int  `json:"shape"`           // of a tile
	Shown  []int  `json:"shown,omitempty"` // rows and columns of Values: the first ones; the rows of all leading dimensions follow each other
	Values string `json:"values"`          // of a tile row by row, with commas between
}

// The states of a lane.
const (
	Active    = 'o'
	Masked    = '.'
	Outside   = 'X' // active, and not in the tensor
	Undefined = 'u' // reads what nothing has written
)

// An Access is one load, store or atomic. What it lists by lane is in row-major order.
type Access struct {
	Kind    string  `json:"kind"` // load, store or atomic
	Op      string  `json:"op"`
	Line    int     `json:"line"`
	Arg     int     `json:"arg"` // of the launch: what the pointers point into
	Shape   []int   `json:"shape"`
	Lanes   int     `json:"lanes"`
	Counts  Counts  `json:"counts"`
	Mask    bool    `json:"mask"`              // there is one
	Other   bool    `json:"other,omitempty"`   // lanes that are masked off have a value
	Start   int64   `json:"start"`             // the first lane's offset, where they step evenly
	Strides []int   `json:"strides,omitempty"` // the offset's step along each axis
	Offsets []int64 `json:"offsets,omitempty"` // by lane, where they do not
	States  string  `json:"states"`            // one character by lane; "" if the lanes are left out
	Values  string  `json:"values"`            // by lane, with commas between: what is read, or stored, or the atomic's operand
	Before  string  `json:"before,omitempty"`  // by lane: what was in memory before an atomic
}

// Counts is how many lanes are in a state.
type Counts struct {
	Active    int `json:"active"` // those outside among them
	Masked    int `json:"masked"`
	Outside   int `json:"outside"`
	Undefined int `json:"undefined"`
}

// ints is a copy that is never nil: a list in JSON even if it is empty.
func ints(x []int) []int { return append([]int{}, x...) }
