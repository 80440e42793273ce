package exec

import "fmt"

// Engines names the engines that run kernels here, slowest first.
func Engines() []string { return append([]string{interpreted, "portable"}, machineEngines()...) }

// interpreted is the engine that calls the kernel's own function.
const interpreted = "interpreted"

// checkEngine reports an engine that this machine does not have.
func checkEngine(name string) error {
	if name == "" {
		return nil
	}
	for _, e := range Engines() {
		if e == name {
			return nil
		}
	}
	return fmt.Errorf("exec: no engine %q here; there is %v", name, Engines())
}
