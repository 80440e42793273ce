// Package sugar makes plain Go of what cells may write beyond it: operators on tiles, kernel[grid](arguments)
// and x[:, None].
//
// What Go's parser does not read is replaced in the text before, by as many bytes: PlainSyntax. What depends
// on types is rewritten in the syntax trees, round by round, as the type checker learns more: a Desugarer. It
// keeps the places of what it rewrote, and writes the same as text.
package sugar
