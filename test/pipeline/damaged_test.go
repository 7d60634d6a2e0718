package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lull/subjects"
)

// damage changes the first byte of a file that a host keeps of a job, and returns the attempt's
// folder. The file's name may have wildcards.
func (f *fleet) damage(host, job, of string) (folder string) {
	f.t.Helper()
	paths, err := filepath.Glob(filepath.Join(f.keeps(host, job), of))
	if err != nil || len(paths) != 1 {
		f.t.Fatalf("files %s = %q, %v, want one", of, paths, err)
	}
	b, err := os.ReadFile(paths[0])
	if err == nil {
		err = os.Chmod(paths[0], 0o644)
	}
	if err == nil {
		b[0] ^= 1
		err = os.WriteFile(paths[0], b, 0o644)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	folder, _, _ = strings.Cut(paths[0], "/out/")
	return strings.TrimSuffix(folder, "/manifest")
}

func TestAnOutputThatIsDamagedIsMadeAgain(t *testing.T) {
	f, c := sides(t)
	folder := t.TempDir()
	f.say(c, &subjects.Paused{Host: f.host("right")})
	job := submit(t, c, folder, across)
	when(t, c, job, mapped)
	f.damage("left", job, "0/1/attempt-*/out/part-0")
	f.say(c, &subjects.Resumed{Host: f.host("right")})
	finished(t, c, job)
	if got := all(results(t, filepath.Join(folder, "out"))); got != "0\n1\n2\n" {
		t.Errorf("results = %q, want the lines 0, 1 and 2", got)
	}

	view, err := c.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	j := view.State.Job(job)
	outputs, err := c.Outputs(t.Context(), view.State, j, 1)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, kept string, err error) {
		t.Helper()
		for _, says := range []string{"task reduce/0", "damaged", f.host("right"), kept, "submit the job again"} {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("reading a damaged %s of a finished job = %v, want an error that contains %q", what, err, says)
			}
		}
	}
	kept := f.damage("right", job, "1/0/attempt-*/out/all")
	check("file", kept, c.Fetch(t.Context(), outputs, t.TempDir()))
	kept = f.damage("right", job, "1/0/attempt-*/manifest")
	_, err = c.Outputs(t.Context(), view.State, j, 1)
	check("manifest", kept, err)
}
