package site

import (
	"bytes"
	"net/http"
	"path"
	"strings"
	"time"
)

// Policy is the Content-Security-Policy of the page: nothing from anywhere else, no
// script that is not a file of the page, and no other page around it.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
	"worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

var types = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json", ".svg": "image/svg+xml", ".gz": "application/gzip",
}

// Handler serves the files, to this machine's browsers: a request that names another host
// comes from a page elsewhere whose name was made to mean this machine.
func (f Files) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := strings.Cut(r.Host, ":")
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		if name == "" || name == "." {
			name = "index.html"
		}
		text, ok := f[name]
		switch {
		case host != "127.0.0.1" && host != "localhost":
			http.Error(w, "this page is for this machine", http.StatusForbidden)
			return
		case !ok:
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", types[path.Ext(name)])
		h.Set("Content-Security-Policy", Policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
	})
}
