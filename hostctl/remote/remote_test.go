package remote

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lull/hostctl/lines"
	"lull/subjects/spec"
)

var written = time.Date(2025, 3, 4, 5, 6, 7, 0, time.UTC)

// site serves one text. first may replace each answer.
func site(t *testing.T, text, tag string, first func(http.ResponseWriter, *http.Request) bool) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if first != nil && first(w, r) {
			return
		}
		w.Header().Set("ETag", tag)
		http.ServeContent(w, r, "", written, strings.NewReader(text))
	}))
	t.Cleanup(s.Close)
	return s.URL + "/data.txt"
}

func pin(url string, size int) spec.Range {
	return spec.Range{Path: url, Size: int64(size), Length: int64(size), Tag: `"1"`, MTime: written.UnixNano()}
}

func fetched(t *testing.T, r spec.Range) (string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in", "data.txt")
	n, err := Fetch(t.Context(), http.DefaultClient, r, path)
	if err != nil {
		return "", err
	}
	b, err := os.ReadFile(path)
	if int64(len(b)) != n {
		t.Errorf("file = %d bytes, want %d as returned", len(b), n)
	}
	return string(b), err
}

// Ranges of a URL are cut at lines as those of a file are. Together they are the text, and each
// equals the file's range.
func TestRangesOfAURLAreCutAtLines(t *testing.T) {
	text := strings.Repeat("some words\n\n", 100) + strings.Repeat("x", 20_000) + "\nlast"
	url := site(t, text, `"1"`, nil)
	all, step := "", len(text)/7
	for at := 0; at < len(text); at += step {
		r := pin(url, len(text))
		r.Offset, r.Length = int64(at), int64(min(step, len(text)-at))
		got, err := fetched(t, r)
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		file := r
		file.Path, file.MTime = filepath.Join(t.TempDir(), "f"), 0
		if err := os.WriteFile(file.Path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		in, err := lines.OpenAll([]spec.Range{file}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.Copy(&want); err != nil || got != want.String() {
			t.Fatalf("fetched from %d on = %d bytes, want the %d of a file, %v", at, len(got), want.Len(), err)
		}
		all += got
	}
	if all != text {
		t.Errorf("pieces together = %d bytes, want the %d of the whole", len(all), len(text))
	}
}

func TestAChangedURLIsNoticed(t *testing.T) {
	const text = "one\ntwo\n"
	for says, url := range map[string]string{
		"its tag is":    site(t, text, `"2"`, nil),
		"bytes 0-7/10":  site(t, text+"3\n", `"1"`, nil),
		"HTTP ranges":   site(t, text, `"1"`, func(w http.ResponseWriter, _ *http.Request) bool { _, _ = w.Write([]byte(text)); return true }),
		"404 Not Found": site(t, text, `"1"`, func(w http.ResponseWriter, r *http.Request) bool { http.NotFound(w, r); return true }),
		"another part": site(t, text, `"1"`, func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Range", "bytes 3-7/8")
			w.WriteHeader(http.StatusPartialContent)
			return true
		}),
	} {
		var input *lines.InputError
		if _, err := fetched(t, pin(url, len(text))); !errors.As(err, &input) || !strings.Contains(err.Error(), says) {
			t.Errorf("fetched() = %v, want an error that says %q", err, says)
		}
	}
	untagged := pin(site(t, text, "", nil), len(text))
	untagged.Tag, untagged.MTime = "", written.Add(time.Second).UnixNano()
	if _, err := fetched(t, untagged); err == nil || !strings.Contains(err.Error(), "written at") {
		t.Errorf("fetched(another time of writing) = %v, want an error with both", err)
	}
}

// A busy server and a broken connection are not the input's fault. The received bytes stay, and the
// rest is requested again.
func TestABrokenTransferIsContinued(t *testing.T) {
	text := strings.Repeat("some words of a line\n", 50_000)
	var asked atomic.Int32
	url := site(t, text, `"1"`, func(w http.ResponseWriter, _ *http.Request) bool {
		switch asked.Add(1) {
		case 1:
			w.WriteHeader(http.StatusServiceUnavailable)
			return true
		case 2:
			w.Header().Set("ETag", `"1"`)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes 0-%d/%d", len(text)-1, len(text)))
			w.Header().Set("Content-Length", fmt.Sprint(len(text)))
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write([]byte(text[:300_000]))
			panic(http.ErrAbortHandler)
		}
		return false
	})
	if got, err := fetched(t, pin(url, len(text))); err != nil || got != text {
		t.Errorf("fetched = %d bytes, %v, want %d", len(got), err, len(text))
	}
	if n := asked.Load(); n != 3 {
		t.Errorf("requests = %d, want 3", n)
	}
}
