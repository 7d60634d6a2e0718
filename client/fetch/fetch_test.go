package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/manifest"
)

const content = "the quick brown fox jumps over the lazy dog"

func file() manifest.File {
	sum := sha256.Sum256([]byte(content))
	return manifest.File{Path: "a/b", Size: int64(len(content)), Mode: 0o444, Sum: sum[:]}
}

// serve answers requests in turn with these handlers, the last one for ever.
func serve(t *testing.T, turns ...http.HandlerFunc) (subjects.OutputHost, *atomic.Int32) {
	t.Helper()
	var n atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		turns[min(int(n.Add(1)), len(turns))-1](w, r)
	}))
	t.Cleanup(s.Close)
	return subjects.OutputHost{Host: "alpha", URL: s.URL, Token: "secret"}, &n
}

func whole(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/v1/attempts/7/files/a/b" || r.Header.Get("Authorization") != "Bearer secret" {
		http.Error(w, "wrong request", http.StatusBadRequest)
		return
	}
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(content))
}

// broken promises all and sends the first half.
func broken(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "43")
	_, _ = w.Write([]byte(content[:20]))
}

func damaged(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write([]byte(strings.ToUpper(content)))
}

func short(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(content[:20])) }

// end breaks off before the rest of what broken began.
func end(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "23")
	w.WriteHeader(http.StatusPartialContent)
}

// accepted takes a report of damage.
func accepted(w http.ResponseWriter, r *http.Request) {
	if r.URL.String() != "/v1/attempts/7/manifest?damaged=1" || r.Header.Get("Authorization") != "Bearer secret" {
		http.Error(w, "wrong request", http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusAccepted)
	_, _ = w.Write([]byte("/data/attempt-7"))
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "sorry", code) }
}

func TestFile(t *testing.T) {
	for name, c := range map[string]struct {
		turns []http.HandlerFunc
		asked int32
		err   string
	}{
		"at once":                         {[]http.HandlerFunc{whole}, 1, ""},
		"goes on where it broke":          {[]http.HandlerFunc{broken, whole}, 2, ""},
		"the server has a bad moment":     {[]http.HandlerFunc{status(503), whole}, 2, ""},
		"damaged on the way":              {[]http.HandlerFunc{damaged, whole}, 2, ""},
		"damaged for good":                {[]http.HandlerFunc{damaged, damaged, accepted}, 3, "/data/attempt-7"},
		"its host is of a release before": {[]http.HandlerFunc{damaged}, 3, "damaged"},
		"shorter than it was":             {[]http.HandlerFunc{short, short, accepted}, 3, "/data/attempt-7"},
		"the disk cannot read it":         {[]http.HandlerFunc{broken, end, end, end, end, accepted}, tries + 1, "/data/attempt-7"},
		"gone":                            {[]http.HandlerFunc{status(404)}, 1, "404"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from, asked := serve(t, c.turns...)
			path := t.TempDir() + "/in/f"
			var client Client
			err := client.File(t.Context(), from, 7, file(), path)
			if asked.Load() != c.asked {
				t.Errorf("asked %d times, want %d", asked.Load(), c.asked)
			}
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) || !strings.Contains(err.Error(), "alpha") {
					t.Errorf("error %v, want one with %q and the host", err, c.err)
				}
				if entries, _ := os.ReadDir(t.TempDir() + "/in"); len(entries) > 0 {
					t.Errorf("left behind: %v, want nothing", entries)
				}
				return
			}
			if b, rerr := os.ReadFile(path); err != nil || rerr != nil || string(b) != content {
				t.Errorf("%s = %q (%v, %v), want %q", path, b, err, rerr, content)
			}
		})
	}
}

// No name of an output collides with the temporary file of another one.
func TestNoNameIsInTheWay(t *testing.T) {
	from, _ := serve(t, whole)
	dir := t.TempDir()
	var client Client
	for _, name := range []string{"f.part", "f", strings.Repeat("f", 255)} {
		if err := client.File(t.Context(), from, 7, file(), dir+"/"+name); err != nil {
			t.Error(err)
		}
		part := Part{Attempt: 7, File: file(), To: dir + "/p" + name[1:]}
		stream := append(binary.BigEndian.AppendUint64(nil, uint64(len(content))+1), content...)
		if err := part.readFrom(bytes.NewReader(stream)); err != nil {
			t.Error(err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 6 {
		t.Errorf("there are %v, want six files", entries)
	}
}

func TestResumeAsksForTheRest(t *testing.T) {
	var ranged atomic.Value
	from, _ := serve(t, broken, func(w http.ResponseWriter, r *http.Request) {
		ranged.Store(r.Header.Get("Range"))
		whole(w, r)
	})
	var client Client
	if err := client.File(t.Context(), from, 7, file(), t.TempDir()+"/f"); err != nil {
		t.Fatal(err)
	}
	if ranged.Load() != "bytes=20-" {
		t.Errorf("asked for %q, want what follows byte 20", ranged.Load())
	}
}

func TestManifestIsCheckedAgainstTheLog(t *testing.T) {
	b, digest, err := manifest.Manifest{Files: []manifest.File{file()}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	from, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(b) })
	var client Client
	if m, err := client.Manifest(t.Context(), from, 7, digest); err != nil || len(m.Files) != 1 {
		t.Errorf("Manifest() = %+v, %v, want one file", m, err)
	}
	digest[3]++
	if _, err := client.Manifest(t.Context(), from, 7, digest); !errors.Is(err, manifest.ErrDamaged) {
		t.Errorf("Manifest(another digest) = %v, want ErrDamaged", err)
	}
}

// A restarted agent refuses the tickets of the agent before.
func TestATicketThatIsRefusedIsRenewed(t *testing.T) {
	var good atomic.Value
	good.Store("first")
	from, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+good.Load().(string) {
			http.Error(w, "not this host's", http.StatusUnauthorized)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(content))
	})
	from.Token = ""
	asked := 0
	c := Client{Ticket: func(_ context.Context, host string) (subjects.TicketAnswer, error) {
		asked++
		return subjects.TicketAnswer{Ticket: good.Load().(string), Until: time.Now().Add(time.Hour).Unix()}, nil
	}}
	get := func() {
		t.Helper()
		if err := c.File(t.Context(), from, 7, file(), t.TempDir()+"/f"); err != nil {
			t.Error(err)
		}
	}
	get()
	get()
	if asked != 1 {
		t.Errorf("tickets asked for = %d, want 1, which is good for both", asked)
	}
	good.Store("second")
	get()
	if asked != 2 {
		t.Errorf("%d tickets were asked for, want 2", asked)
	}
	c.Ticket = func(context.Context, string) (subjects.TicketAnswer, error) {
		return subjects.TicketAnswer{Ticket: "forged", Until: time.Now().Add(time.Hour).Unix()}, nil
	}
	good.Store("third")
	if err := c.File(t.Context(), from, 7, file(), t.TempDir()+"/f"); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("File with a ticket that is never good = %v, want an error: 401", err)
	}
}
