package jupyter

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// A Fact is one line of what a machine has.
type Fact struct {
	Name string
	Have string // what is there
	Lack string // what is not, and the command that gets it
}

// Status is what there is of what notebooks need.
func Status(ctx context.Context, p Place) []Fact {
	python, err := FindPython(ctx)
	facts := []Fact{fact("jupyter", python.String(), err)}
	server, err := FindServer()
	facts = append(facts, fact("notebook", server.Name, err), p.tilerFact())
	g, err := FindGo(ctx)
	facts = append(facts, fact("go", g.Version+", "+g.Path, err))
	install := &Missing{What: "not built, or of other versions", Get: "tiler jupyter install"}
	tools := fact("tools", fmt.Sprintf("gonb %s, goimports, gopls in %s", GonbVersion(), p.Bin()), nil)
	if !p.built(g) {
		tools = fact("tools", "", install)
	}
	facts = append(facts, tools, p.gonbFact())
	if s, err := p.readSpec(Gonb); err == nil && g.Path != "" && facts[len(facts)-1].Lack == "" {
		facts = append(facts, fact("modules", "in Go's cache: cells compile without a network", modules(ctx, g, s.Metadata["clone"])))
	}
	return facts
}

func fact(name, have string, err error) Fact {
	if err != nil {
		return Fact{Name: name, Lack: err.Error()}
	}
	return Fact{Name: name, Have: have}
}

// tilerFact says whether the kernel that is the prompt is installed.
func (p Place) tilerFact() Fact {
	s, err := p.readSpec(Tiler)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fact(Tiler, "", &Missing{What: "the kernel is not installed in " + p.Kernel(Tiler), Get: "tiler jupyter install"})
	case err != nil:
		return fact(Tiler, "", err)
	}
	if _, err := os.Stat(s.Argv[0]); err != nil {
		return fact(Tiler, "", &Missing{What: "the kernel's program is gone: " + s.Argv[0], Get: "tiler jupyter install"})
	}
	return fact(Tiler, fmt.Sprintf("kernel in %s: cells as at the prompt, by %s", p.Kernel(Tiler), s.Argv[0]), nil)
}

// gonbFact says whether the kernel that compiles cells is installed as Install would.
func (p Place) gonbFact() Fact {
	const name = "gonb"
	s, err := p.readSpec(Gonb)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fact(name, "", &Missing{What: "the kernel is not installed in " + p.Kernel(Gonb), Get: "tiler jupyter install"})
	case err != nil:
		return fact(name, "", err)
	}
	clone := s.Metadata["clone"]
	if _, err := Clone(clone); err != nil {
		return fact(name, "", &Missing{What: "its clone is gone: " + clone, Get: "tiler jupyter install"})
	}
	return fact(name, fmt.Sprintf("kernel in %s: compiled cells, which see %s", p.Kernel(Gonb), clone), nil)
}
