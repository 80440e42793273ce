// Package complete finds what a name that is being typed in a cell could become.
//
// The text before it is checked as package check checks cells, with a placeholder for the name and all that is open
// closed; what is wrong with it does not matter.
package complete
