// Package sanitizer finds what is wrong with a kernel while it runs interpreted.
//
// A Checker watches the program instances of one launch through one hook of the
// language: every load, store and atomic is shown to it before it happens, with its
// lanes. It keeps a shadow of the tensors' memory, who wrote and who read each element,
// and so finds races exactly; it says for each lane whether it lies in the tensor and in
// the row it was meant for, and which lanes of a load are undefined. The language then
// carries these marks from element to element through every operation, and shows them
// again where values are stored, become an address or decide a branch. Only there does
// something undefined become a finding. Equal findings of different instances are one,
// with a count.
//
// When all programs have ended it looks at what they left unwritten, and at tensors that
// were walked by strides of others.
package sanitizer
