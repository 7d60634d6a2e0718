package chaos

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

var (
	seeds = flag.Uint64("seeds", 100, "how many seeds to run")
	first = flag.Uint64("first", 1, "the first of them")
)

// twice is how often a seed is run again, to see that it gives the same log.
const twice = 8

// TestSeeds draws scripts. A script that breaks something is printed, shortened.
func TestSeeds(t *testing.T) {
	all, next := Coverage{}, make(chan uint64)
	var mu sync.Mutex
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for seed := range next {
				coverage := try(t, seed)
				mu.Lock()
				all.Merge(coverage)
				mu.Unlock()
			}
		})
	}
	for seed := *first; seed < *first+*seeds; seed++ {
		next <- seed
	}
	close(next)
	workers.Wait()
	t.Logf("faults, by the last entry of the log before them:\n%v", all)
	if missing := all.Missing(); len(missing) > 0 && *seeds >= 100 {
		t.Errorf("faults that never happened = %v, want none", missing)
	}
}

func try(t *testing.T, seed uint64) Coverage {
	script := Draw(seed)
	r, coverage, err := Run(t.Context(), script)
	if err != nil {
		short := Shorten(t.Context(), script)
		_, _, why := Run(t.Context(), short)
		t.Errorf("Run(script of seed %d) = %v, want no error\nWhat it takes (save it under testdata/ to keep it):\n%v\nIt gives: %v", seed, err, short, why)
		return coverage
	}
	if seed%twice == 0 {
		again, _, err := Run(t.Context(), script)
		if err != nil || again.Digest != r.Digest {
			t.Errorf("a second run of seed %d gives another log or an error (%v), want the same log", seed, err)
		}
	}
	return coverage
}

// TestScripts replays what once broke something.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.script")
	if err != nil || len(files) == 0 {
		t.Fatalf("scripts in testdata = %q, %v, want some", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			f, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close() //nolint:errcheck // only read
			script, err := ParseScript(f)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := Run(t.Context(), script); err != nil {
				t.Errorf("Run(%s) = %v, want no error", file, err)
			}
		})
	}
}

func TestAScriptReadsAsItIsWritten(t *testing.T) {
	for seed := uint64(1); seed <= 50; seed++ {
		for _, step := range Draw(seed).Steps {
			got, err := ParseStep(step.String())
			if err != nil || got != step {
				t.Errorf("ParseStep(%q) = %v, %v, want %v", step, got, err, step)
			}
		}
	}
	for _, bad := range []string{"", "1s crash", "soon crash a", "1s dance a", "1s lose a", "1s lose a op=dance", "1s crash a op=append", "1s crash a to=5s"} {
		if s, err := ParseStep(bad); err == nil {
			t.Errorf("ParseStep(%q) = %v, want an error", bad, s)
		}
	}
}
