package source

import "runtime"

// A built is a function of the running program, as the tables that Go keeps for stack
// traces have it: they give a name, file and line for each instruction.
type built struct {
	name  string // "github.com/user/pkg.kernel", "main.main.func1"
	file  string // and line, where it begins
	line  int
	entry uintptr
}

// builtAt is the function that an instruction is in.
func builtAt(pc uintptr) (b built, ok bool) {
	f := runtime.FuncForPC(pc)
	if f == nil {
		return b, false
	}
	entry := f.Entry()
	// Where it begins with the body of another function, that one is named.
	for pc := entry; ; pc++ {
		f = runtime.FuncForPC(pc)
		if f == nil || f.Entry() != entry {
			return b, false
		}
		if f == runtime.FuncForPC(pc) { // it is a new one each time otherwise
			break
		}
	}
	b = built{name: f.Name(), entry: entry}
	b.file, b.line = f.FileLine(entry)
	return b, true
}

// Position is the file and line of the function that an instruction is in, as the compiler recorded them.
func Position(pc uintptr) (file string, line int) {
	b, _ := builtAt(pc)
	return b.file, b.line
}
