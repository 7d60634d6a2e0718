package local

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"lull/cmd/lull/serve/folder"
)

// TestAStoreAfterAKillIsNoWarning: the index of a stream is older than its entries after every kill, and the
// server makes it anew. Here an earlier index takes the place of the last one.
func TestAStoreAfterAKillIsNoWarning(t *testing.T) {
	f, err := folder.Take(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // nothing was written that counts
	fill(t, f, slog.New(slog.DiscardHandler))
	index := filepath.Join(f.Path("jetstream"), "nats", "jetstream", "$G", "streams", "LULL_default", "msgs", "index.db")
	earlier, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, f, slog.New(slog.DiscardHandler))
	if err := os.WriteFile(index, earlier, 0o600); err != nil {
		t.Fatal(err)
	}
	var warned, all strings.Builder
	fill(t, f, slog.New(slog.NewTextHandler(&warned, nil)))
	if warned.Len() != 0 {
		t.Errorf("warnings =\n%s\nwant none", &warned)
	}
	if err := os.WriteFile(index, earlier, 0o600); err != nil {
		t.Fatal(err)
	}
	fill(t, f, slog.New(slog.NewTextHandler(&all, &slog.HandlerOptions{Level: slog.LevelDebug})))
	for _, part := range afterKills {
		if !strings.Contains(all.String(), part) {
			t.Errorf("the server no longer says %q, want it in\n%s", part, &all)
		}
	}
}

// fill starts a server in the folder, adds a message to a stream, and stops the server.
func fill(t *testing.T, f *folder.Folder, log *slog.Logger) {
	t.Helper()
	server, err := startServer(f, "", "", log)
	if err != nil {
		t.Fatal(err)
	}
	nc, err := server.Conn("test")
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.CreateOrUpdateStream(t.Context(), jetstream.StreamConfig{Name: "LULL_default", Subjects: []string{"numbers"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(t.Context(), "numbers", []byte("one more")); err != nil {
		t.Fatal(err)
	}
	nc.Close()
	if err := server.Shutdown(); err != nil {
		t.Fatal(err)
	}
}
