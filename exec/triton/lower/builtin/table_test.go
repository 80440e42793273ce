package builtin

import "testing"

// TestRows: the first name of each row, by which a call finds what lowers it, is its own.
func TestRows(t *testing.T) {
	for name, e := range rows {
		if first := e.Names[0]; rows[first] != e {
			t.Errorf("%s is a name of the row %s, and that is another row's", name, first)
		}
	}
}
