//go:build unix

package site_test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// TestScreenshots writes pictures of every lesson and some puzzles into the folder
// TILER_SHOTS, to be looked at.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("TILER_SHOTS")
	if dir == "" {
		t.Skip("TILER_SHOTS names no folder for screenshots")
	}
	files := build(t)
	server := httptest.NewServer(files.Handler())
	defer server.Close()
	b := newBrowser(t)
	b.homes = []string{server.URL + "/"}
	pages := []string{"puzzle/1", "puzzle/9", "blank"}
	for _, l := range lessonsOf(t, files) {
		pages = append(pages, "lesson/"+l)
	}
	for _, page := range pages {
		b.open(server.URL + "/#" + page)
		b.until("all cells", idle)
		for _, width := range []int{400, 1280} {
			for _, dark := range []bool{false, true} {
				name := fmt.Sprintf("%s-%d-%v.png", filepath.Base(page), width, map[bool]string{true: "dark", false: "light"}[dark])
				b.screenshot(filepath.Join(dir, name), width, dark)
			}
		}
	}
	b.clean()
}
