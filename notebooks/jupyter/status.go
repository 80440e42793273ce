package jupyter

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// A Fact is one line of what a machine has.
type Fact struct {
	Name string
	Have string // what is there
	Lack string // what is not, and the command that gets it
}

// Status is what there is of what notebooks need.
func Status(ctx context.Context, p Place) []Fact {
	g, err := FindGo(ctx)
	facts := []Fact{fact("go", g.Version+", "+g.Path, err)}
	python, err := FindPython(ctx)
	facts = append(facts, fact("jupyter", python.String(), err))
	server, err := FindServer()
	facts = append(facts, fact("notebook", server.Name, err))
	install := &Missing{What: "not built, or of other versions", Get: "tiler jupyter install"}
	tools := fact("tools", fmt.Sprintf("gonb %s, goimports, gopls in %s", GonbVersion(), p.Bin()), nil)
	if !p.built(g) {
		tools = fact("tools", "", install)
	}
	facts = append(facts, tools, p.kernelFact(g))
	if s, err := p.readSpec(); err == nil && g.Path != "" && facts[len(facts)-1].Lack == "" {
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

// kernelFact says whether the kernel is installed as Install would.
func (p Place) kernelFact(g Go) Fact {
	const name = "kernel"
	s, err := p.readSpec()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fact(name, "", &Missing{What: "not installed in " + p.Kernel(), Get: "tiler jupyter install"})
	case err != nil:
		return fact(name, "", err)
	}
	clone := s.Metadata["clone"]
	if _, err := Clone(clone); err != nil {
		return fact(name, "", &Missing{What: "its clone is gone: " + clone, Get: "tiler jupyter install"})
	}
	return fact(name, fmt.Sprintf("%s in %s, cells see %s", s.DisplayName, p.Kernel(), clone), nil)
}
