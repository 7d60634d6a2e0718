package client

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"lull/subjects"
	"lull/subjects/agentpath"
	"lull/subjects/ledger"
)

const wrote = "0123456789"

// hostOf answers the n-th request with the n-th turn, and gathers what was asked for.
func hostOf(t *testing.T, turns ...http.HandlerFunc) (h *ledger.Host, asked func() []string) {
	t.Helper()
	var lock sync.Mutex
	var ranges []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lock.Lock()
		ranges = append(ranges, r.Header.Get("Range"))
		turn := turns[min(len(ranges), len(turns))-1]
		lock.Unlock()
		turn(w, r)
	}))
	t.Cleanup(server.Close)
	return &ledger.Host{Name: "h", Joined: subjects.Joined{URL: server.URL, Token: "t"}}, func() []string {
		lock.Lock()
		defer lock.Unlock()
		return slices.Clone(ranges)
	}
}

// logPiece sends the log from where it is asked for up to an offset, and breaks off if that is not the end.
func logPiece(to int, header http.Header) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		from := 0
		_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
		for key := range header {
			w.Header().Set(key, header.Get(key))
		}
		if from > 0 && header.Get(agentpath.LogWhole) != "" {
			w.WriteHeader(http.StatusPartialContent)
		} else {
			from = 0
		}
		_, _ = io.WriteString(w, wrote[from:to])
		if to < len(wrote) {
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
	}
}

func whole() http.Header { return http.Header{agentpath.LogWhole: {"1"}} }

func readLog(t *testing.T, h *ledger.Host, first int64) (string, error) {
	t.Helper()
	body, err := LogFrom(t.Context(), new(Client), h, 1, Stdout, true, first)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close() //nolint:errcheck // only read
	b, err := io.ReadAll(body)
	return string(b), err
}

// Where a connection broke the reader asks for the rest, so that each byte comes once.
func TestALogGoesOnWhereAConnectionBroke(t *testing.T) {
	h, asked := hostOf(t, logPiece(3, whole()), logPiece(7, whole()), logPiece(10, whole()))
	if got, err := readLog(t, h, 0); got != wrote || err != nil {
		t.Errorf("log = %q, %v, want %q", got, err, wrote)
	}
	if got := strings.Join(asked(), ","); got != ",bytes=3-,bytes=7-" {
		t.Errorf("ranges = %q, want all, then from 3, then from 7", got)
	}
}

// A connection that brings nothing is given up some time.
func TestALogWhoseConnectionsBringNothingEnds(t *testing.T) {
	h, _ := hostOf(t, logPiece(3, whole()), logPiece(3, whole()))
	if got, err := readLog(t, h, 0); got != wrote[:3] || err == nil {
		t.Errorf("log = %q, %v, want %q and an error", got, err, wrote[:3])
	}
}

// A host of an earlier release changes its logs: they are not spliced. It sends the first bytes again.
func TestALogOfAnEarlierRelease(t *testing.T) {
	h, _ := hostOf(t, logPiece(10, nil))
	if got, err := readLog(t, h, 4); got != wrote[4:] || err != nil {
		t.Errorf("log from 4 = %q, %v, want %q", got, err, wrote[4:])
	}
	h, asked := hostOf(t, logPiece(3, nil))
	if got, err := readLog(t, h, 0); got != wrote[:3] || err == nil || len(asked()) != 1 {
		t.Errorf("log = %q, %v after %d requests, want %q and an error after one", got, err, len(asked()), wrote[:3])
	}
}

// What the host did not keep is told behind all that it kept.
func TestALogThatIsNotWhole(t *testing.T) {
	h, _ := hostOf(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Trailer", agentpath.LogCut)
		w.Header().Set(agentpath.LogWhole, "1")
		_, _ = io.WriteString(w, wrote)
		w.Header().Set(agentpath.LogCut, "2500")
	})
	got, err := readLog(t, h, 0)
	var cut *CutError
	if got != wrote || !errors.As(err, &cut) || cut.Missing != 2500 {
		t.Errorf("log = %q, %v, want %q and that 2500 bytes are missing", got, err, wrote)
	}
	if !strings.Contains(err.Error(), "its last 2,500 bytes are missing") {
		t.Errorf("error = %v, want the number of bytes", err)
	}
}
