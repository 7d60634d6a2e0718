package shell_test

import (
	"context"
	"testing"
	"testing/synctest"

	"lull/actors/shell"
)

// running starts a shell that runs until ctx ends, and waits until it has read the log.
func running(t *testing.T, ctx context.Context, cfg shell.Config) *shell.Shell {
	t.Helper()
	service, err := shell.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	go service.Run(ctx) //nolint:errcheck // it ends with the test
	synctest.Wait()
	return service
}
