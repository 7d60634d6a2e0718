package publisher

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"lull/client/publish"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "publish" {
		os.Exit(Main())
	}
	os.Exit(m.Run())
}

// published runs the program with a plan of one file.
func published(t *testing.T, output, content string) (status int, said string) {
	t.Helper()
	p := publish.Plan{Output: output, Job: "job", Attempt: 1, Fence: true, Stages: []publish.Stage{{
		Name: "count", Files: []publish.File{{Path: "00000/d/a", Size: 1, Mode: 0o444}},
	}}}
	head, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	var errors bytes.Buffer
	cmd := exec.Command("/proc/self/exe", "publish")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(append(head, content...)), &errors
	_ = cmd.Run() // its status is what matters
	return cmd.ProcessState.ExitCode(), errors.String()
}

func TestTheProgramPublishesBehindItsFence(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out")
	if status, said := published(t, output, "1"); status != 0 {
		t.Fatalf("status %d: %s, want 0", status, said)
	}
	if text, err := os.ReadFile(output + "/count/00000/d/a"); err != nil || string(text) != "1" {
		t.Errorf("file = %q, %v, want 1", text, err)
	}
}

func TestTheProgramTellsWhatWasCutOff(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out")
	if status, said := published(t, output, ""); status != 1 || said == "" {
		t.Errorf("status %d: %q, want 1 with an error", status, said)
	}
	if _, err := os.Stat(output + "/count"); err == nil {
		t.Error("a part of the result is in the output, want none")
	}
}
