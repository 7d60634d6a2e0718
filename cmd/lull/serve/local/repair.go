package local

import (
	"errors"
	"fmt"

	"lull/actors/jetstream/embedded"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/shellword"
)

// remedy is the command that repairs a data folder.
func remedy(data string) string { return "lull repair --data " + shellword.Of(data) }

// Repair starts the server on an unused folder, repairs its store, and stops it. It calls say for
// each finding.
func Repair(data string, again bool, say func(format string, args ...any)) (err error) {
	taken, err := folder.Take(data)
	if errors.Is(err, ErrTaken) {
		return exit.With(exit.Usage, fmt.Errorf("%w: stop it first", err))
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, taken.Close()) }()
	found := false
	server, err := embedded.Start(embedded.Config{
		Dir: taken.Path(serverFolder), SyncAlways: true, MaxStore: maxStore, Repair: true, Again: again,
		Seen: lastAttempts(taken.Dir),
		Tell: func(text string) { found = true; say("%s", text) },
	})
	if err != nil {
		return err
	}
	if err := server.Shutdown(); err != nil {
		return err
	}
	if !found {
		say("nothing is damaged in %s", taken.Dir)
	}
	return nil
}
