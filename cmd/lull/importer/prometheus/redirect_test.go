package prometheus

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lull/cmd/lull/exit"
)

// TestSecretStaysWithItsOrigin redirects to another port of the same host, which package http takes for the same place.
func TestSecretStaysWithItsOrigin(t *testing.T) {
	var asked atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		say(w)
	}))
	t.Cleanup(other.Close)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(server.Close)
	for _, secret := range []string{"token", "user:password", ""} {
		asked.Store(0)
		from := Source{URL: server.URL, Query: "q", Host: "instance", Secret: secret, Pause: time.Nanosecond}
		err := from.Read(t.Context(), end-1, end, func(Series) error { return nil })
		switch {
		case secret == "" && err != nil:
			t.Errorf("Read() without a secret = %v, want the answer of the other server", err)
		case secret != "" && (asked.Load() != 0 || exit.Code(err) != exit.Usage || !strings.Contains(fmt.Sprint(err), other.URL)):
			t.Errorf("Read() with secret %q = %v, with %d questions to the other server, want a usage error that names it", secret, err, asked.Load())
		}
	}
}

// TestSecretFollowsWithinItsOrigin redirects to another path of the server.
func TestSecretFollowsWithinItsOrigin(t *testing.T) {
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/prom/") {
			http.Redirect(w, r, "/prom"+r.URL.Path, http.StatusTemporaryRedirect)
			return
		}
		got = r.Header.Get("Authorization")
		say(w)
	}))
	t.Cleanup(server.Close)
	from := Source{URL: server.URL, Query: "q", Host: "instance", Secret: "token", Pause: time.Nanosecond}
	err := from.Read(t.Context(), end-1, end, func(Series) error { return nil })
	if err != nil || got != "Bearer token" {
		t.Errorf("Read() = %v with Authorization %q, want %q", err, got, "Bearer token")
	}
}
