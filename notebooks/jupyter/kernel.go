package jupyter

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tiler-go/tiler/tilelang/overwrite"
)

// kernelSpec is a kernel.json, as Jupyter reads it.
type kernelSpec struct {
	Argv          []string          `json:"argv"`
	DisplayName   string            `json:"display_name"`
	Language      string            `json:"language"`
	InterruptMode string            `json:"interrupt_mode"`
	Env           map[string]string `json:"env"`
	Metadata      map[string]string `json:"metadata"`
}

// cellFlags are how cells are built: without a symbol table, and without debugging
// information in what is linked. A cell links in half the time then; positions of
// functions and stack traces do not need them.
const cellFlags = "-ldflags=-s -gcflags=all=-dwarf=false"

// specName is the file of a specification.
const specName = "kernel.json"

// tilerSpec is the specification of the kernel that is in a program.
func tilerSpec(program string) kernelSpec {
	return kernelSpec{
		Argv:          []string{program, "kernel", "{connection_file}"},
		DisplayName:   displayNames[Tiler],
		Language:      "go",
		InterruptMode: "message",
		Env:           map[string]string{},
		Metadata:      map[string]string{},
	}
}

// gonbSpec is the specification of gonb in a place, whose cells see a clone.
func (p Place) gonbSpec(g Go, clone string) kernelSpec {
	list := []string{p.Bin(), filepath.Dir(g.Path), "${PATH}", "/usr/local/bin", "/usr/bin", "/bin"}
	return kernelSpec{
		Argv:          []string{filepath.Join(p.Bin(), program("gonb")), "--kernel", "{connection_file}", "-go_work=" + clone},
		DisplayName:   displayNames[Gonb],
		Language:      "go",
		InterruptMode: "message",
		Env: map[string]string{
			// gonb runs go and goimports by name.
			"PATH": strings.Join(list, string(os.PathListSeparator)),
			// What cells import is here: go must neither wait for a network nor pick versions
			// of its own.
			"GOPROXY": "off",
			"GOFLAGS": cellFlags,
			// Pure Go links faster than with a C library.
			"CGO_ENABLED": "0",
		},
		Metadata: map[string]string{"clone": clone, "gonb": GonbVersion()},
	}
}

// readSpec is the specification of a kernel that is installed, if it is.
func (p Place) readSpec(name string) (s kernelSpec, err error) {
	text, err := os.ReadFile(filepath.Join(p.Kernel(name), specName))
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(text, &s)
}

// writeSpec writes a kernel's specification, and reports whether it changed.
func (p Place) writeSpec(name string, s kernelSpec) (changed bool, err error) {
	text, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return false, err
	}
	text = append(text, '\n')
	path := filepath.Join(p.Kernel(name), specName)
	have, err := os.ReadFile(path)
	if err == nil && string(have) == string(text) {
		return false, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if err := os.MkdirAll(p.Kernel(name), 0o755); err != nil {
		return false, err
	}
	return true, overwrite.Bytes(path, 0o644, text)
}
