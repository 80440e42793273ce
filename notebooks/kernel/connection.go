package kernel

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strconv"
)

// A Connection is where a kernel waits for clients, and the key that they sign with: what
// is in the file that Jupyter starts a kernel with.
type Connection struct {
	Transport string `json:"transport"`
	IP        string `json:"ip"`
	Scheme    string `json:"signature_scheme"`
	Key       string `json:"key"`

	Shell   int `json:"shell_port"`
	IOPub   int `json:"iopub_port"`
	Stdin   int `json:"stdin_port"`
	Control int `json:"control_port"`
	HB      int `json:"hb_port"`
}

// ReadConnection reads a connection file.
func ReadConnection(file string) (c Connection, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return c, fmt.Errorf("%s is no connection file of Jupyter's: %w", file, err)
	}
	if err := c.check(); err != nil {
		return c, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// check is what is wrong with a connection. Cells are programs: nobody on another machine
// may send some.
func (c Connection) check() error {
	ip := net.ParseIP(c.IP)
	switch {
	case c.Transport != "" && c.Transport != "tcp":
		return fmt.Errorf("got transport %q, want tcp", c.Transport)
	case c.Scheme != "" && c.Scheme != "hmac-sha256":
		return fmt.Errorf("got signature scheme %q, want hmac-sha256", c.Scheme)
	case ip == nil || !ip.IsLoopback():
		return fmt.Errorf("got address %q, want one of this machine alone, such as 127.0.0.1\n\tfix: start Jupyter with --KernelManager.ip=127.0.0.1", c.IP)
	}
	return nil
}

func (c Connection) address(port int) string { return net.JoinHostPort(c.IP, strconv.Itoa(port)) }
