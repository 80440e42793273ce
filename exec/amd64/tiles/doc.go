// Package tiles knows where tiles of a Func lie in the frame, what of a tensor an access touches, and what code
// leaves to Go. It writes no loop over elements.
package tiles
