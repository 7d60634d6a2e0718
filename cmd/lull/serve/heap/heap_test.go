package heap

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"lull/test/poll"
)

// A heap reports that it is full after the next collection, and that it has room once the
// data are gone.
func TestAFullHeapSaysSo(t *testing.T) {
	h := Limit(64 << 20)
	defer Limit(1 << 40)
	until := func(full bool) {
		t.Helper()
		reached := func() bool {
			runtime.GC()
			return h.Read().Full == full
		}
		if !poll.Until(10*time.Second, time.Millisecond, reached) {
			t.Fatalf("Read() after 10 s of collections = %+v, want Full = %v", h.Read(), full)
		}
	}
	until(false)
	ballast := make([]byte, 40<<20)
	until(true)
	if r := h.Read(); r.Live < 40<<20 || r.Limit != 64<<20 {
		t.Errorf("Read() of a full heap = %+v, want at least 40 MB live of 64", r)
	}
	runtime.KeepAlive(ballast)
	until(false)
}

// The collector has room at every size: up to the size at which new work waits, the bytes allocated
// between two collections are never much fewer than the live ones.
func TestTheCollectorHasRoom(t *testing.T) {
	const limit = 4 << 30
	for live := uint64(1 << 20); live <= limit/2; live += 1 << 20 {
		grow := live * uint64(Percent(live, limit)) / 100
		switch {
		case live+grow > 3*limit/4+limit/100:
			t.Fatalf("%d MB live grow by %d, want at most three quarters of the limit in all", live>>20, grow>>20)
		case grow < live/2-live/100:
			t.Fatalf("%d MB live grow by %d, want at least half of them, or the collector works all the time", live>>20, grow>>20)
		case live > 20<<20 && live < small/2 && live+grow > small:
			t.Fatalf("%d MB live grow to %d, want at most a small heap's %d", live>>20, (live+grow)>>20, small>>20)
		}
	}
}

func TestTheDefaultIsAQuarterOfWhatThereIs(t *testing.T) {
	meminfo := "MemTotal:        8388608 kB\nMemFree: 1 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  uint64
	}{
		"no cgroup": {map[string]string{}, 2 << 30},
		"v2, a parent's": {map[string]string{
			"proc/self/cgroup":                        "0::/a/b\n",
			"sys/fs/cgroup/a/memory.max":              "4294967296\n",
			"sys/fs/cgroup/a/b/memory.max":            "max\n",
			"sys/fs/cgroup/memory/a/b/memory.max":     "1\n",
			"sys/fs/cgroup/a/b/memory.limit_in_bytes": "1\n",
		}, 1 << 30},
		"v1": {map[string]string{
			"proc/self/cgroup": "5:memory:/a\n3:cpu:/a\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "2147483648\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":   "9223372036854771712\n",
		}, 512 << 20},
		"next to nothing": {map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1048576\n",
		}, Least},
	} {
		root := t.TempDir()
		c.files["proc/meminfo"] = meminfo
		for path, text := range c.files {
			path = filepath.Join(root, path)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, _, err := Default(root); got != c.want || err != nil {
			t.Errorf("%s: Default() = %d MB, %v, want %d", name, got>>20, err, c.want>>20)
		}
	}
}
