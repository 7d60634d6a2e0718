package serve

import (
	"context"
	"strings"
	"testing"

	"lull/cmd/lull/exit"
	"lull/test/taskuser"
)

func TestUpThatIsStoppedEarlySaysSo(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	cmd := upCommand()
	cmd.SetArgs(append([]string{"--data", t.TempDir(), "--log-level", "error"}, taskuser.Flags()...))
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := cmd.ExecuteContext(ctx)
	if exit.Code(err) != exit.Interrupted || strings.Contains(err.Error(), "context") {
		t.Errorf("lull up that is stopped early: exit %d, %v, want exit %d and no word of a context", exit.Code(err), err, exit.Interrupted)
	}
}

func TestTheCommandThatHandsOverAJobNamesTheFolder(t *testing.T) {
	t.Setenv("LULL_DATA", "/home/ann/lull")
	for data, want := range map[string]string{
		"/home/ann/lull": "lull submit FILE",
		"/srv/lull":      "lull submit --data /srv/lull FILE",
		"/srv/my lull":   "lull submit --data '/srv/my lull' FILE",
	} {
		if got := submitTo(data); got != want {
			t.Errorf("submitTo(%q) = %q, want %q", data, got, want)
		}
	}
}
