package fileserver

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"lull/hostctl/store"
	"lull/subjects/agentpath"
)

// running is the only attempt, and it runs until its channel is closed.
type running struct {
	Live
	folder store.Folder
	ended  chan struct{}
}

func (r *running) Running(uint64) (store.Folder, <-chan struct{}, bool) {
	return r.folder, r.ended, true
}

func serveRunning(t *testing.T, log string) (*running, *httptest.Server) {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	r := &running{folder: s.Folder(store.Task{Job: "j"}, 1), ended: make(chan struct{})}
	if err := os.MkdirAll(filepath.Dir(r.folder.Stdout()), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, r.folder.Stdout(), log)
	server := httptest.NewServer(Handler(s, r, func(string) bool { return true }))
	t.Cleanup(server.Close)
	return r, server
}

// write adds to a file.
func write(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func askLog(t *testing.T, server *httptest.Server, follow bool, from string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+agentpath.Log(1, agentpath.Stdout, follow), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer t")
	if from != "" {
		req.Header.Set("Range", from)
	}
	res, err := server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

// A reader goes on where its connection broke, also behind the end.
func TestALogIsReadFromAnOffset(t *testing.T) {
	_, server := serveRunning(t, "0123456789")
	for from, want := range map[string]string{"": "0123456789", "bytes=0-": "0123456789", "bytes=4-": "456789", "bytes=10-": "", "bytes=11-": "", "bytes=-3": "0123456789", "lines=2-": "0123456789"} {
		res := askLog(t, server, false, from) //nolint:bodyclose // askLog's cleanup closes it
		status := http.StatusOK
		if len(want) < 10 {
			status = http.StatusPartialContent
		}
		b, err := io.ReadAll(res.Body)
		if err != nil || string(b) != want || res.StatusCode != status || res.Header.Get(agentpath.LogWhole) == "" {
			t.Errorf("%q: %d, %q, %v, want %d, %q and the header %s", from, res.StatusCode, b, err, status, want, agentpath.LogWhole)
		}
		if missing := res.Trailer.Get(agentpath.LogCut); missing != "" {
			t.Errorf("%q: trailer = %q, want none", from, missing)
		}
	}
}

// A follower learns at the end that the log is not whole, also if that happened after its first byte.
func TestAFollowerIsToldWhatIsMissing(t *testing.T) {
	r, server := serveRunning(t, "first ")
	res := askLog(t, server, true, "bytes=2-") //nolint:bodyclose // likewise
	b := make([]byte, 4)
	if _, err := io.ReadFull(res.Body, b); err != nil || string(b) != "rst " {
		t.Fatalf("first bytes = %q, %v, want \"rst \"", b, err)
	}
	write(t, r.folder.Stdout(), "last")
	write(t, store.CutPath(r.folder.Stdout()), string(store.Cut{Missing: 1234, Last: []byte("gone")}.Bytes()))
	close(r.ended)
	b, err := io.ReadAll(res.Body)
	if err != nil || string(b) != "last" || res.Trailer.Get(agentpath.LogCut) != "1234" {
		t.Errorf("rest = %q, %v, trailer %q, want last, 1234", b, err, res.Trailer.Get(agentpath.LogCut))
	}
}

// A log that cannot be read to its end is not taken for whole.
func TestALogThatCannotBeReadBreaksOff(t *testing.T) {
	r, server := serveRunning(t, "text")
	if err := os.Remove(r.folder.Stdout()); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/hostname", r.folder.Stdout()); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+agentpath.Log(1, agentpath.Stdout, false), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer t")
	res, err := server.Client().Do(req)
	if err != nil {
		return
	}
	defer res.Body.Close() //nolint:errcheck // only read
	if b, err := io.ReadAll(res.Body); err == nil {
		t.Errorf("a log that is a link is read as %q, want that the answer breaks off", b)
	}
}
