package trace

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// public opens public traces, which are not part of the repository.
func public(t *testing.T, pattern string) []string {
	t.Helper()
	files, _ := filepath.Glob("../../../shared/data/" + pattern)
	if len(files) == 0 {
		t.Skipf("needs %s beside the repository, in ../shared/data", pattern)
	}
	return files
}

func readFile[T any](t *testing.T, path string, read func(io.Reader, string) (T, error)) T {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	got, err := read(f, filepath.Base(path))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestPublicUsageIsReadAsItIs(t *testing.T) {
	for _, file := range public(t, "cpu_*.csv.gz") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			p := readFile(t, file, func(r io.Reader, name string) (*Pool, error) { return Hosts(r, name, HostOptions{}) })
			if p.Every.Seconds() != 300 || p.Span.Hours() < 23 || len(p.Hosts) == 0 {
				t.Errorf("Hosts(%s) = %d hosts, a sample every %v over %v, want at least 1, every 5 min, over at least 23 h", file, len(p.Hosts), p.Every, p.Span)
			}
		})
	}
}

func TestPublicJobsAreReadAsTheyAre(t *testing.T) {
	for _, file := range public(t, "jobs_swim_*.csv.gz") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			l := readFile(t, file, func(r io.Reader, name string) (*List, error) {
				return Jobs(r, name, JobOptions{Swim: Swim{Scale: 0.1}})
			})
			if l.Form != "swim" || len(l.Jobs) < 1000 || l.Tasks < len(l.Jobs) || l.Skipped > 0 {
				t.Errorf("Jobs(%s) = form %s, %d jobs, %d tasks, %d skipped, want swim, at least 1000, at least a task each, 0", file, l.Form, len(l.Jobs), l.Tasks, l.Skipped)
			}
			for _, truth := range l.Types {
				if !strings.HasPrefix(truth.Type, "swim-") {
					t.Errorf("type = %s, want one that begins with swim-", truth.Type)
				}
			}
		})
	}
}
