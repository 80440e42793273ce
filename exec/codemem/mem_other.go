//go:build !(linux || darwin || freebsd || windows)

package codemem

const (
	memSupported = false
	protRX       = 0
	protNone     = 0
)

func mapPages(int) ([]byte, error) { return nil, errNotSupported }
func protect([]byte, int) error    { return errNotSupported }
func unmapPages([]byte) error      { return errNotSupported }
