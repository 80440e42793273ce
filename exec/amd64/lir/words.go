package lir

// Words of the frame, at fixed offsets, by which code and Go tell each other why a call returns and where it goes on.
const (
	ExitWord   = 0  // why the code returned: an exit code
	ResumeWord = 8  // which entry it wants to be called at next
	BudgetWord = 72 // work left before the code must return to Go
)

// ExitYield is the exit code that says that the budget is used up.
const ExitYield = 2

const frameAlign = 64
