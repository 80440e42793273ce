package syntax

// A File is a file that was read.
type File struct {
	Name string
	Text string
	Body []Stmt
}

// An Expr is one of the expressions below.
type Expr interface{ Pos() Pos }

// A Stmt is one of the statements below.
type Stmt interface{ Pos() Pos }

// A Node has a place: where it begins, and of an operation where its operator is.
type Node struct{ At Pos }

// Pos is the node's place.
func (n Node) Pos() Pos { return n.At }

// The expressions.
type (
	// Name is a variable.
	Name struct {
		Node
		Name string
	}
	// Number is an integer or a float as it is written, without underscores.
	Number struct {
		Node
		Text  string
		Float bool
		Imag  bool
	}
	// String is a string, adjacent ones joined. Of one with an f-string among its parts
	// nothing but that is known.
	String struct {
		Node
		Value  string
		Format bool
		Bytes  bool
	}
	// Constant is True, False, None or ... .
	Constant struct {
		Node
		Text string
	}
	// Tuple is x, y.
	Tuple struct {
		Node
		Elems []Expr
	}
	// List is [x, y].
	List struct {
		Node
		Elems []Expr
	}
	// Set is {x, y}.
	Set struct {
		Node
		Elems []Expr
	}
	// Dict is {k: v}; a key is nil for **v.
	Dict struct {
		Node
		Keys, Values []Expr
	}
	// Unary is -x, +x, ~x or not x.
	Unary struct {
		Node
		Op string
		X  Expr
	}
	// Binary is an arithmetic operation, or "and" or "or".
	Binary struct {
		Node
		Op   string
		X, Y Expr
	}
	// Compare is a chain: X Ops[0] Ys[0] Ops[1] Ys[1] ...
	Compare struct {
		Node
		X   Expr
		Ops []string
		Ys  []Expr
	}
	// IfExp is Then if Cond else Else.
	IfExp struct {
		Node
		Cond, Then, Else Expr
	}
	// Call is a call, a place for each argument.
	Call struct {
		Node
		Func Expr
		Args []Arg
	}
	// Attribute is X.Name; its place is that of the name.
	Attribute struct {
		Node
		X    Expr
		Name string
	}
	// Subscript is X[Index].
	Subscript struct {
		Node
		X, Index Expr
	}
	// Slice is Lo:Hi:Step; parts are nil where they are left out.
	Slice struct {
		Node
		Lo, Hi, Step Expr
	}
	// Lambda is a function without a name.
	Lambda struct {
		Node
		Params []Param
		Body   Expr
	}
	// Comprehension is [Elem for ... in ...]; Kind is the opening bracket.
	Comprehension struct {
		Node
		Kind        string
		Elem, Value Expr // Value of a dictionary's
		Clauses     []Clause
	}
	// Starred is *X.
	Starred struct {
		Node
		X Expr
	}
	// Walrus is Target := Value.
	Walrus struct {
		Node
		Target, Value Expr
	}
	// Yield is yield X or yield from X.
	Yield struct {
		Node
		From bool
		X    Expr
	}
	// Await is await X.
	Await struct {
		Node
		X Expr
	}
)

// An Arg is an argument of a call: by position, by name, *x or **x.
type Arg struct {
	Node
	Name  string
	Stars int
	Value Expr
}

// A Clause is "for Target in Iter if Conds".
type Clause struct {
	Target, Iter Expr
	Conds        []Expr
}

// A Param is a parameter of a function.
type Param struct {
	Node
	Name       string
	Stars      int // 1 for *args, 2 for **kwargs
	Annotation Expr
	Default    Expr
}

// The statements.
type (
	// FuncDef is a function.
	FuncDef struct {
		Node
		Name       string
		Decorators []Expr
		Params     []Param
		Body       []Stmt
		End        Pos
	}
	// ClassDef is a class.
	ClassDef struct {
		Node
		Name string
		Body []Stmt
	}
	// Return is return X; X may be nil.
	Return struct {
		Node
		X Expr
	}
	// Assign is a = b = Value.
	Assign struct {
		Node
		Targets []Expr
		Value   Expr
	}
	// AugAssign is Target Op= Value.
	AugAssign struct {
		Node
		Op            string
		Target, Value Expr
	}
	// AnnAssign is Target: Annotation = Value; Value may be nil.
	AnnAssign struct {
		Node
		Target, Annotation, Value Expr
	}
	// For is a loop over Iter.
	For struct {
		Node
		Target, Iter Expr
		Body, Else   []Stmt
	}
	// While is a loop.
	While struct {
		Node
		Cond       Expr
		Body, Else []Stmt
	}
	// If is a choice; elif is an If in Else.
	If struct {
		Node
		Cond       Expr
		Then, Else []Stmt
	}
	// With is a context.
	With struct {
		Node
		Items []Expr
		Body  []Stmt
	}
	// Try is a block with handlers.
	Try struct {
		Node
		Body     []Stmt
		Handlers [][]Stmt
		Else     []Stmt
		Finally  []Stmt
	}
	// Import is import names, or from From import names.
	Import struct {
		Node
		IsFrom bool
		From   string // with its dots
		Names  []Alias
	}
	// Simple is a statement that begins with a keyword and has expressions: raise, del,
	// assert, global, nonlocal, pass, break, continue.
	Simple struct {
		Node
		Keyword string
		Exprs   []Expr
	}
	// ExprStmt is an expression.
	ExprStmt struct {
		Node
		X Expr
	}
	// Match is a match statement; its patterns are not kept.
	Match struct {
		Node
		X     Expr
		Cases [][]Stmt
	}
)

// An Alias is Name as As; As is Name's own if nothing else is said.
type Alias struct {
	Node
	Name, As string
}
