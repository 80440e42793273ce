package symbols

// A Topic is packages that have something in common.
type Topic struct {
	Name  string
	Paths []string
}

// Topics is the packages that can be imported, by what they are for.
func Topics() []Topic {
	return []Topic{
		{"tiler", []string{"github.com/tiler-go/tiler/exec", "…/exec/check", "…/tilelang", "…/tilelang/diag", "…/tilelang/dtype", "…/tilelang/tensor"}},
		{"numbers", []string{"math", "math/big", "math/bits", "math/cmplx", "math/rand", "math/rand/v2"}},
		{"text", []string{"bytes", "fmt", "regexp", "strconv", "strings", "text/tabwriter", "text/template", "unicode", "unicode/utf8"}},
		{"collections", []string{"cmp", "container/heap", "container/list", "container/ring", "maps", "slices", "sort"}},
		{"formats", []string{"encoding/base64", "encoding/binary", "encoding/csv", "encoding/hex", "encoding/json", "image", "image/color", "image/png"}},
		{"checksums", []string{"crypto/md5", "crypto/sha256", "hash/crc32", "hash/fnv"}},
		{"files and the system", []string{"bufio", "flag", "io", "io/fs", "log", "os", "path", "path/filepath", "runtime", "runtime/debug", "time"}},
		{"many things at once", []string{"context", "errors", "sync", "sync/atomic"}},
	}
}
