// Package check checks a cell against what earlier cells defined, before it runs.
//
// A Scope is the texts of the cells so far and the definitions in force. A Plan checks one cell, with the definitions
// of earlier cells that must be compiled anew with it; what it finds wrong it says in the words of cells, with what to
// write instead. A Check is the cell when it is right: what package lower needs, and what it defines.
package check
