package fetch

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"lull/subjects"
)

// TestTicketStaysWithItsHost redirects to another port of the same machine, which package http takes for the same place.
func TestTicketStaysWithItsHost(t *testing.T) {
	var others, asked atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { others.Add(1) }))
	t.Cleanup(other.Close)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(server.Close)
	c := &Client{}
	_, err := c.Manifest(t.Context(), subjects.OutputHost{Host: "a", URL: server.URL, Token: "secret"}, 1, subjects.Digest{})
	if err == nil || !strings.Contains(err.Error(), "it redirects to "+other.URL) || others.Load() != 0 || asked.Load() != 1 {
		t.Errorf("Manifest() = %v after %d questions, with %d to the other server, want one and an error that names the other", err, asked.Load(), others.Load())
	}
}
