package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lull/test/poll"
	"lull/test/taskuser"
	"lull/test/unguarded"
)

// TestSnakemake runs the workflow of examples/snakemake by its profile, with Debian's snakemake.
func TestSnakemake(t *testing.T) {
	if _, err := exec.LookPath("snakemake"); err != nil {
		t.Skip("needs snakemake, as of Debian's package snakemake")
	}
	dir := t.TempDir()
	flow := filepath.Join(dir, "flow")
	must(t, os.CopyFS(flow, os.DirFS("../../examples/snakemake")))
	if os.Getenv("PYTHONPATH") != "" { // where snakemake is unpacked, and not installed
		profile := filepath.Join(flow, "lull", "config.yaml")
		text, err := os.ReadFile(profile)
		must(t, err)
		must(t, os.WriteFile(profile, []byte(strings.Replace(string(text), "lull submit", "lull submit --env PYTHONPATH", 1)), 0o644))
	}
	for name, text := range map[string]string{"one": "a", "two": "a b", "three": "a b c"} {
		must(t, os.MkdirAll(filepath.Join(dir, "pages"), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, "pages", name+".md"), []byte(text+"\n"), 0o644))
	}
	command := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(name, args...)
		cmd.Dir = flow
		cmd.Env = append(os.Environ(), "LULL_DATA="+filepath.Join(dir, "data"), "LULL_NATS=", "PATH="+filepath.Dir(lull)+":"+os.Getenv("PATH"))
		return cmd
	}
	up := command(lull, slices.Concat([]string{"up", "--task-write", flow}, taskuser.Flags(), unguarded.Flags())...)
	must(t, up.Start())
	defer func() {
		_ = up.Process.Signal(os.Interrupt)
		_ = up.Wait()
	}()
	if !poll.Until(time.Minute, time.Second/5, func() bool { return command(lull, "hosts").Run() == nil }) {
		t.Fatal("lull up does not answer")
	}
	out, err := command("snakemake", "--profile", "lull", "--config", "pages=../pages").CombinedOutput()
	if err != nil {
		t.Fatalf("snakemake = %v, want no error\n%s", err, out)
	}
	ranking, err := os.ReadFile(filepath.Join(flow, "ranking"))
	if err != nil || string(ranking) != "3 three\n2 two\n1 one\n" {
		t.Errorf("ranking = %q, %v, want three pages by their words", ranking, err)
	}
	jobs, err := command(lull, "jobs", "--state", "finished").Output()
	if err != nil || strings.Count(string(jobs), "\ncount-") != 3 || strings.Count(string(jobs), "\nrank-") != 1 {
		t.Errorf("lull jobs = %v, want three jobs of rule count and one of rank\n%s", err, jobs)
	}
}
