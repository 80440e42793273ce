// Package explain says what a name means: of the language, of a package, of what a session defines, or of a command.
package explain
