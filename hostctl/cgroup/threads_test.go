package cgroup

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// A process with more threads than are listed at once.
func TestThreadsAreAllFound(t *testing.T) {
	var ready, over sync.WaitGroup
	var mu sync.Mutex
	var want []int
	end := make(chan struct{})
	for range 100 {
		ready.Add(1)
		over.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			mu.Lock()
			want = append(want, unix.Gettid())
			mu.Unlock()
			ready.Done()
			<-end
		})
	}
	ready.Wait()
	found := slices.Collect(threads([]int{os.Getpid()}))
	close(end)
	over.Wait()
	for _, tid := range want {
		if !slices.Contains(found, tid) {
			t.Errorf("threads() = %d without %d, want it among them", len(found), tid)
		}
	}
	if gone := slices.Collect(threads([]int{maxPID(t)})); len(gone) > 0 {
		t.Errorf("threads(a process that cannot be) = %v, want none", gone)
	}
}

// maxPID is a number that no process has.
func maxPID(t *testing.T) int {
	b, err := os.ReadFile("/proc/sys/kernel/pid_max")
	mustDo(t, err)
	n, err := strconv.Atoi(string(b[:len(b)-1]))
	mustDo(t, err)
	return n
}
