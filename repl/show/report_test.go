package show_test

import (
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/show"
)

// TestWideTile: the lanes of a wide tile of one dimension stand in several rows of a page.
func TestWideTile(t *testing.T) {
	f := check.Finding{Kind: check.Unwritten, Severity: check.Error}
	f.Picture = "… " + strings.Repeat("o", 60) + "XXXX"
	page := show.Finding(f).HTML()
	narrow := f
	narrow.Picture = "… " + strings.Repeat("o", 16) + "XXXX"
	if rows, want := strings.Count(page, "<tr"), strings.Count(show.Finding(narrow).HTML(), "<tr")+2; rows != want {
		t.Errorf("%d rows, want %d: %s", rows, want, page)
	}
}
