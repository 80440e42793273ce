package edit

import "github.com/chzyer/readline"

// size is the terminal's; its height is unknown.
func size() (width, height int) { return readline.GetScreenWidth(), 0 }
