package pipeline

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lull/client"
	"lull/cmd/lull/serve/local"
	"lull/subjects"
)

const reading = `
name: reading
stages:
  - name: local
    command: cat
    inputs: [words.txt]
    split: 6KB
    sources: [nfs:filer1]
  - name: remote
    command: cat >"$LULL_OUT"/words
    inputs: [${URL}/words.txt]
    split: 6KB
`

// What a job reads is known from its submission to its end. Its stages say how much a task reads
// and from where, its tasks how much it was and how fast.
func TestWhatAJobReadsIsKnown(t *testing.T) {
	text := strings.Repeat("ten bytes\n", 1000)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Unix(1_700_000_000, 0), strings.NewReader(text))
	}))
	_, c := start(t, local.Config{})
	t.Cleanup(site.Close)
	folder := t.TempDir()
	write(t, filepath.Join(folder, "words.txt"), text)
	j := finished(t, c, submit(t, c, folder, strings.ReplaceAll(reading, "${URL}", site.URL)))
	for i, want := range []string{"nfs:filer1", "url:" + strings.TrimPrefix(site.URL, "http://")} {
		st := j.Shape.Stages[i]
		if bytes := j.Stages[i].Bytes; bytes != 5000 || !slices.Equal(st.Sources, []string{want}) {
			t.Errorf("stage %s: %d bytes a task from %q, want 5000 from %s", st.Name, bytes, st.Sources, want)
		}
	}
	if in := checkReads(t, c, j.ID); in != 20_000 {
		t.Errorf("bytes that all tasks read = %d, want 20000, each once", in)
	}
	nodes, err := c.DataNodes(t.Context(), "")
	if err != nil || slices.ContainsFunc(nodes, func(n subjects.DataNode) bool { return n.Readers > 0 || n.Load > 0 }) {
		t.Errorf("DataNodes() after the job = %+v, %v, want no readers and no load", nodes, err)
	}
}

// checkReads sums what the job's tasks read, each of which says how fast.
func checkReads(t *testing.T, c *client.Client, job string) (in int64) {
	t.Helper()
	history, err := c.History(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range history {
		if e, ok := entry.Event.(*subjects.Finished); ok {
			in += e.In
			if e.In <= 0 || e.Read <= 0 {
				t.Errorf("stage %d, task %d: read %d bytes at %v bytes/s, want both above 0", e.Stage, e.Task, e.In, e.Read)
			}
		}
	}
	return in
}
