// Package builtin prints calls of the language's functions, a row of a table for each; those that
// the op table spells in both languages need none.
package builtin
