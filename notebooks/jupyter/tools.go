package jupyter

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/tiler-go/tiler/tilelang/overwrite"
)

// The tools' module: exact versions and their hashes, so that two installations of the
// same tiler are the same programs.
var (
	//go:embed tools.mod
	toolsMod string
	//go:embed tools.sum
	toolsSum string
)

// Tools are the programs that a kernel needs: gonb is the kernel, goimports it runs for
// every cell, gopls for completion.
var Tools = []string{"gonb", "goimports", "gopls"}

// GonbVersion is the version of gonb that is installed.
func GonbVersion() string { return toolVersion(gonbModule) }

func toolVersion(module string) string {
	for line := range strings.Lines(toolsMod) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == module && strings.HasPrefix(f[1], "v") {
			return f[1]
		}
	}
	return ""
}

// Go is the go command and its version.
type Go struct{ Path, Version string }

// FindGo looks for the go command.
func FindGo(ctx context.Context) (Go, error) {
	missing := &Missing{What: "Go is not installed, or not in PATH: cells are compiled with it", Get: getGo()}
	path, err := osexec.LookPath("go")
	if err != nil {
		return Go{}, missing
	}
	out, err := osexec.CommandContext(ctx, path, "env", "GOVERSION").Output()
	if err != nil {
		return Go{}, fmt.Errorf("%s env GOVERSION: %w", path, err)
	}
	return Go{path, strings.TrimSpace(string(out))}, nil
}

func getGo() string {
	switch runtime.GOOS {
	case "darwin":
		return "brew install go"
	case "windows":
		return "winget install GoLang.Go"
	}
	return "apt-get install golang (1.26 or later; elsewhere: https://go.dev/dl)"
}

// stampName is the file that says what the tools were built from.
const stampName = "built-from"

// stamp identifies what tools are built from, and with.
func stamp(g Go) string {
	sum := sha256.Sum256(fmt.Append(nil, toolsMod, toolsSum, g.Version, patches, sugar))
	return hex.EncodeToString(sum[:]) + "\n"
}

// built reports whether the tools are there, of the right versions.
func (p Place) built(g Go) bool {
	have, err := os.ReadFile(filepath.Join(p.Data, stampName))
	if err != nil || string(have) != stamp(g) {
		return false
	}
	for _, name := range Tools {
		if _, err := os.Stat(filepath.Join(p.Bin(), program(name))); err != nil {
			return false
		}
	}
	return true
}

func program(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

const modulesFrom = "modules come from the module proxy (GOPROXY) or, without a network, from the module cache of an earlier installation"

// build builds the tools. It needs the network only for modules that are not in the
// module cache.
func (p Place) build(ctx context.Context, g Go, log Log) error {
	dir, err := os.MkdirTemp("", "tiler-tools-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"go.mod": toolsMod, "go.sum": toolsSum} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(p.Bin(), 0o755); err != nil {
		return err
	}
	if err := patchedGonb(ctx, g, dir); err != nil {
		return fmt.Errorf("%w\n\t%s", err, modulesFrom)
	}
	cmd := osexec.CommandContext(ctx, g.Path, "install", "-v", "-mod=readonly", "tool")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOBIN="+p.Bin(), "GOWORK=off")
	if err := log.run(cmd, "building gonb, goimports and gopls"); err != nil {
		return fmt.Errorf("%w\n\t%s", err, modulesFrom)
	}
	return overwrite.Bytes(filepath.Join(p.Data, stampName), 0o644, []byte(stamp(g)))
}
