package publish

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// many returns a thousand files that hold the job's name, and some that only this job has.
func many(job string) (files []string) {
	for i := range 1000 {
		files = append(files, fmt.Sprintf("%05d/%03d=%s", i/100, i%100, job))
	}
	return append(files, "00010/only-"+job+"="+job)
}

// whose returns the job of the run in the output, and fails if that is not one whole run.
func whose(t *testing.T, output string) string {
	t.Helper()
	marker, err := os.ReadFile(output + "/count/.lull")
	if err != nil {
		t.Fatal(err)
	}
	job := strings.TrimSpace(string(marker))
	want := "count/.lull=" + job + " count/" + strings.Join(many(job), " count/")
	if got := tree(t, output); got != want {
		t.Fatalf("what stands is not the run of %s: %d files are there, want %d", job, strings.Count(got, "="), strings.Count(want, "="))
	}
	return job
}

// process publishes in a process of its own, as an agent's does.
func process(t *testing.T, job string, attempt uint64, output string) (*exec.Cmd, io.WriteCloser, []byte) {
	t.Helper()
	p, content := run(job, attempt, output, many(job)...)
	head, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(content)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/proc/self/exe", "publish")
	cmd.Stderr = new(bytes.Buffer)
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, in, append(head, rest...)
}

func feed(cmd *exec.Cmd, in io.WriteCloser, all []byte) error {
	_, err := in.Write(all)
	if err := errors.Join(err, in.Close(), cmd.Wait()); err != nil {
		return fmt.Errorf("%w: %s", err, cmd.Stderr)
	}
	return nil
}

// Two jobs that published to one output removed each other's files: 542, 953 and 982 of 1,000
// remained, although both jobs had finished.
func TestTwoJobsPublishToOneOutput(t *testing.T) {
	output := t.TempDir()
	for round := range uint64(3) {
		ended := make(chan error, 2)
		for _, job := range []string{"ann", "bob"} {
			cmd, in, all := process(t, job, round, output)
			go func() { ended <- feed(cmd, in, all) }()
		}
		if err := errors.Join(<-ended, <-ended); err != nil {
			t.Error(err)
		}
		t.Log("what stands is of", whose(t, output))
	}
}

// A publisher that is killed leaves the old results in place, and only the next attempt of
// the same job removes its folder.
func TestKilledInTheMiddle(t *testing.T) {
	output := t.TempDir()
	if err := publish("before", 1, output, many("before")...); err != nil {
		t.Fatal(err)
	}
	cmd, in, all := process(t, "ann", 2, output)
	if _, err := in.Write(all[:len(all)-1]); err != nil {
		t.Fatal(err)
	}
	for made := []string(nil); len(made) == 0; { // until it has begun to write
		made, _ = filepath.Glob(output + "/.lull-ann-2/new/count/0*")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if err := publish("bob", 3, output, many("bob")...); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(output + "/.lull-*"); len(left) != 1 {
		t.Errorf("another job left %q of it, want one folder", left)
	}
	if err := publish("ann", 4, output, many("ann")...); err != nil {
		t.Fatal(err)
	}
	if got := whose(t, output); got != "ann" {
		t.Errorf("results of %s stand, want ann's", got)
	}
}
