package fetch

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A host that stops in the middle of an answer, as an agent that was suspended, does not keep its
// reader for ever. The next try goes on where the answer stopped.
func TestAnAnswerThatStopsIsTriedAgain(t *testing.T) {
	over := make(chan struct{})
	stops := func(w http.ResponseWriter, r *http.Request) {
		broken(w, r)
		_ = http.NewResponseController(w).Flush()
		<-over
	}
	from, asked := serve(t, stops, whole)
	t.Cleanup(func() { close(over) }) // before the server's Close, which waits for its handlers
	path := filepath.Join(t.TempDir(), "b")
	c := Client{Stall: 20 * time.Millisecond}
	if err := c.File(t.Context(), from, 7, file(), path); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != content || asked.Load() < 2 {
		t.Errorf("after %d requests %q (%v), want at least 2 and %q", asked.Load(), got, err, content)
	}
}
