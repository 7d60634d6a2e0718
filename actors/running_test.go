package actors_test

import (
	"context"
	"testing"
	"testing/synctest"

	"lull/actors"
)

// running starts a shell that runs until ctx ends, and waits until it has read the log.
func running(t *testing.T, ctx context.Context, cfg actors.Config) *actors.Shell {
	t.Helper()
	shell, err := actors.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	go shell.Run(ctx) //nolint:errcheck // it ends with the test
	synctest.Wait()
	return shell
}
