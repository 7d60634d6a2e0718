package local

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"lull/actors/jetstream/embedded"
	"lull/cmd/lull/serve/folder"
)

// maxStore is beyond any disk. The server's own default is three quarters of the free space at its
// start. After a restart on a disk that the log has half filled, it would refuse to write although
// there is room. The disk watch bounds the store instead.
const maxStore = 1 << 50

// serverFolder is the server's folder in the data folder.
const serverFolder = "jetstream"

// startServer starts the embedded server in the folder. Every acknowledgement
// waits for an fsync: what a client was promised outlives a power cut.
func startServer(f *folder.Folder, listen, token string, log *slog.Logger) (*embedded.Server, error) {
	return embedded.Start(embedded.Config{
		Dir: f.Path(serverFolder), Listen: listen, Token: token,
		SyncAlways: true, MaxStore: maxStore, Logger: serverLog{log},
		Tell: func(text string) { log.Warn(text) }, Remedy: remedy(f.Dir), Seen: lastAttempts(f.Dir),
	})
}

// serverLog logs the NATS server's warnings and errors. Its notices, of starts and stops, are
// logged at the level debug, and so are warnings of what every killed process leaves.
type serverLog struct{ to *slog.Logger }

// afterKills are parts of the server's warnings that a store's index is older than its entries, from
// which the server then makes it anew. It writes the index when it stops in order. Whether entries are missing
// is found in other ways: see package integrity.
var afterKills = []string{"Stream state outdated", "Recovering stream state from index errored"}

func (l serverLog) log(level slog.Level, format string, v []any) {
	l.to.Log(context.Background(), level, "NATS server: "+fmt.Sprintf(format, v...))
}

func (l serverLog) Noticef(format string, v ...any) { l.log(slog.LevelDebug, format, v) }
func (l serverLog) Errorf(format string, v ...any)  { l.log(slog.LevelError, format, v) }
func (l serverLog) Fatalf(format string, v ...any)  { l.log(slog.LevelError, format, v) }
func (l serverLog) Debugf(string, ...any)           {}
func (l serverLog) Tracef(string, ...any)           {}

func (l serverLog) Warnf(format string, v ...any) {
	level := slog.LevelWarn
	if slices.ContainsFunc(afterKills, func(part string) bool { return strings.Contains(format, part) }) {
		level = slog.LevelDebug
	}
	l.log(level, format, v)
}
