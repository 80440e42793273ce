package bench

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// cores are the processors that this process may use, in the order in which threads
// are put on them: one of each core first.
func cores() []int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	var first, rest []int
	seen := map[string]bool{}
	for i := range runtime.NumCPU() * 16 {
		if !set.IsSet(i) {
			continue
		}
		siblings, err := os.ReadFile(fmt.Sprintf("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", i))
		if key := string(siblings); err == nil && seen[key] {
			rest = append(rest, i)
		} else {
			seen[key] = true
			first = append(first, i)
		}
	}
	return slices.Concat(first, rest)
}

func setOf(cpus []int) *unix.CPUSet {
	var set unix.CPUSet
	for _, i := range cpus {
		set.Set(i)
	}
	return &set
}

// bind keeps all threads of this process on processors, or does nothing if there are
// none.
func bind(cpus []int) {
	if len(cpus) == 0 {
		return
	}
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return
	}
	for _, task := range tasks {
		if id, err := strconv.Atoi(task.Name()); err == nil {
			_ = unix.SchedSetaffinity(id, setOf(cpus)) // a thread may have ended
		}
	}
}

// pin keeps the goroutine that calls it, alone, on processors until it calls undo.
func pin(cpus []int) (undo func()) {
	runtime.LockOSThread()
	var before unix.CPUSet
	if len(cpus) == 0 || unix.SchedGetaffinity(0, &before) != nil || unix.SchedSetaffinity(0, setOf(cpus)) != nil {
		return runtime.UnlockOSThread
	}
	return func() {
		_ = unix.SchedSetaffinity(0, &before) // as it was a moment ago
		runtime.UnlockOSThread()
	}
}

// startOn runs start, which makes a process, so that the process stays on processors.
func startOn(cpus []int, start func() error) error {
	defer pin(cpus)()
	return start()
}

// freeMemory is the bytes that can be used without swapping, 0 if not known.
func freeMemory() int {
	text, _ := os.ReadFile("/proc/meminfo")
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "MemAvailable:" {
			kib, _ := strconv.Atoi(f[1])
			return kib << 10
		}
	}
	return 0
}
