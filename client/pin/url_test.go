package pin

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

var written = time.Date(2025, 3, 4, 5, 6, 7, 0, time.UTC)

func webServer(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/good", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"7"`)
		http.ServeContent(w, r, "", written, strings.NewReader("one\ntwo\n"))
	})
	mux.HandleFunc("/secretly", func(w http.ResponseWriter, r *http.Request) { // says nothing of ranges
		w.Header().Set("ETag", `"7"`)
		w.Header().Set("Content-Length", "8")
		if r.Header.Get("Range") != "" {
			w.Header().Set("Content-Length", "1")
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write([]byte("o"))
		}
	})
	mux.HandleFunc("/whole", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", `"7"`)
		w.Header().Set("Content-Length", "8")
	})
	mux.HandleFunc("/none", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", `"7"`)
		w.Header().Set("Accept-Ranges", "none")
		w.Header().Set("Content-Length", "8")
	})
	mux.HandleFunc("/endless", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", `"7"`)
		w.(http.Flusher).Flush()
	})
	mux.HandleFunc("/undated", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "8") })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func TestURLsArePinned(t *testing.T) {
	s := webServer(t)
	in, err := Files(t.Context(), "/", []string{s.URL + "/good", s.URL + "/secretly", s.URL + "/good"})
	if err != nil || len(in.Files) != 2 {
		t.Fatalf("Files(two URLs, one twice) = %+v, %v, want two", in, err)
	}
	if f := in.Files[0]; f.Path != s.URL+"/good" || f.Size != 8 || f.Tag != `"7"` || f.MTime != written.UnixNano() {
		t.Errorf("file = %+v, want /good of 8 bytes with tag 7", f)
	}
	if got := in.DataNodes("/", "h"); len(got) != 1 || got[0] != "url:"+strings.TrimPrefix(s.URL, "http://") {
		t.Errorf("DataNodes() = %q, want url: and the server's address", got)
	}
}

func TestURLsThatHostsCannotReadAreRefused(t *testing.T) {
	s := webServer(t)
	for path, says := range map[string]string{
		"/missing": "404",
		"/whole":   "HTTP ranges",
		"/none":    "HTTP ranges",
		"/endless": "does not send its size",
		"/undated": "a change would go unnoticed",
		"/good#x":  "without user, password",
	} {
		if _, err := Files(t.Context(), "/", []string{s.URL + path}); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", path, err, says)
		}
	}
	if _, err := Files(t.Context(), "/", []string{"http://me:secret@host/x"}); err == nil {
		t.Error("Files(a URL with a password) = no error, want one, since it would stand in the log")
	}
}
