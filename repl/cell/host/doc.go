// Package host runs programs in the interpreter of Go, and is what they call: compiled functions for what the
// interpreter does not do, or not right. Package lower says what each is for.
//
// A Host is told what it needs in an Env when it is made, and knows nothing of sessions. It ends a run that is told to
// stop, takes too much memory or panics; launches of kernels go through it.
package host
