package bench

import (
	"os"
	osexec "os/exec"
	"slices"
	"strings"
	"testing"
)

// TestBind: processes and this one stay where they are put, and come back.
func TestBind(t *testing.T) {
	all := cores()
	if len(all) == 0 {
		t.Skip("the processors of this process are not known")
	}
	sorted := slices.Sorted(slices.Values(all))
	if len(slices.Compact(sorted)) != len(all) {
		t.Errorf("processors %v, want each once", all)
	}
	defer bind(all)
	bind(all[:1])
	if got := cores(); !slices.Equal(got, all[:1]) {
		t.Errorf("bound to %v, on %v", all[:1], got)
	}
	bind(all)
	if got := cores(); !slices.Equal(got, all) {
		t.Errorf("bound to %v, on %v", all, got)
	}
	unpin := pin(all[:1])
	if got := cores(); !slices.Equal(got, all[:1]) {
		t.Errorf("pinned to %v, on %v", all[:1], got)
	}
	there := make(chan []int)
	go func() { there <- cores() }()
	if got := <-there; !slices.Equal(got, all) {
		t.Errorf("another goroutine is on %v, want %v", got, all)
	}
	unpin()
	var out strings.Builder
	cmd := osexec.Command("cat", "/proc/self/status")
	cmd.Stdout = &out
	if err := startOn(all[:1], cmd.Start); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || !strings.Contains(out.String(), "Cpus_allowed_list:") {
		t.Fatalf("error %v, status %q", err, out.String())
	}
	_, list, _ := strings.Cut(out.String(), "Cpus_allowed_list:")
	list, _, _ = strings.Cut(strings.TrimSpace(list), "\n")
	if strings.ContainsAny(list, ",-") {
		t.Errorf("a process that was started on %v is on %s", all[:1], list)
	}
	if got := cores(); !slices.Equal(got, all) {
		t.Errorf("after starting it this process is on %v, want %v", got, all)
	}
	if _, err := os.Stat("/proc/meminfo"); err == nil && freeMemory() <= 0 {
		t.Error("no memory is free")
	}
}
