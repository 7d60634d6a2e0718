package pipeline

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"lull/client"
	"lull/cmd/lull/serve/local"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// runJob runs a job and fetches its results into a folder.
func runJob(ctx context.Context, server string, document []byte, folder string, key ...nats.Option) error {
	c, err := client.Dial(ctx, server, subjects.DefaultPool, key...)
	if err != nil {
		return err
	}
	defer c.Close()
	doc, err := spec.Parse(document)
	if err != nil {
		return err // with line, column and a caret
	}
	if err := c.Expand(ctx, doc, "."); err != nil { // finds its inputs on this machine
		return err
	}
	job, err := c.Submit(ctx, doc, client.NewID()) // the pool can't lose it any more
	if err != nil {
		return err
	}
	end, err := c.Watch(ctx, job, nil) // or a function that shows its progress
	if err != nil {
		return err
	}
	if end.Phase != ledger.Finished {
		why, err := c.Why(ctx, job)
		if err != nil {
			return err
		}
		return errors.New(why.Text())
	}
	files, err := c.Results(ctx, job)
	if err != nil {
		return err
	}
	return c.Fetch(ctx, files, folder)
}

// TestTheReadmesProgramRuns runs the function that README.md shows to Go programs.
func TestTheReadmesProgramRuns(t *testing.T) {
	l, _ := start(t, local.Config{})
	at, folder := l.Endpoint(), t.TempDir()
	run := func(command string) error {
		document := `{"name":"hello","stages":[{"name":"say","retries":0,"tasks":2,"command":"` + command + `"}]}`
		return runJob(t.Context(), at.URL, []byte(document), folder, nats.Token(at.Token))
	}
	if err := run("echo hello > $LULL_OUT/greeting"); err != nil {
		t.Fatal(err)
	}
	for _, task := range []string{"00000", "00001"} {
		text, err := os.ReadFile(filepath.Join(folder, "say", task, "greeting"))
		if err != nil || string(text) != "hello\n" {
			t.Errorf("greeting of task %s = %q, %v, want hello", task, text, err)
		}
	}
	if err := run("exit 3"); err == nil || !strings.Contains(err.Error(), "status 3") {
		t.Errorf("runJob(exit 3) = %v, want an error that contains status 3", err)
	}
}

func TestTheReadmeShowsTheProgramThatRuns(t *testing.T) {
	source, err := os.ReadFile("readme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	function := regexp.MustCompile(`(?ms)^// runJob.*?^}\n`).Find(source)
	if len(function) == 0 || !strings.Contains(string(readme), "```go\n"+string(function)+"```\n") {
		t.Errorf("README.md lacks the function runJob, want it as in readme_test.go:\n%s", function)
	}
}
