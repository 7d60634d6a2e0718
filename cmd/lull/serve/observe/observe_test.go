package observe_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"lull/cmd/lull/serve/observe"
)

func TestPeopleReadSentencesAndSeeDetailsOnlyWithWarnings(t *testing.T) {
	var b bytes.Buffer
	log := observe.Log{}.Logger(&b).With("actor", "slotter")
	log.Info("leads the pool", "term", 7)
	log.Warn("the append was refused", "error", errors.New("fenced"))
	log.Debug("not shown")
	log.Info("threads stay", "term", 7, "error", errors.New("not root"))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines, want 3:\n%s", len(lines), b.String())
	}
	if got := lines[0][len("15:04:05 "):]; got != "leads the pool" {
		t.Errorf("info line = %q, want %q", got, "leads the pool")
	}
	if got, want := lines[1][len("15:04:05 "):], "warn: slotter: the append was refused: fenced"; got != want {
		t.Errorf("warn line = %q, want %q", got, want)
	}
	if got := lines[2][len("15:04:05 "):]; got != "threads stay: not root" {
		t.Errorf("info line with an error = %q, want %q", got, "threads stay: not root")
	}
}

func TestMachinesReadJSON(t *testing.T) {
	var b bytes.Buffer
	observe.Log{JSON: true, Level: slog.LevelDebug}.Logger(&b).Debug("x", "n", 1)
	var line struct {
		Msg string
		N   int
	}
	if err := json.Unmarshal(b.Bytes(), &line); err != nil || line.Msg != "x" || line.N != 1 {
		t.Errorf("JSON line = %s (%v), want msg x and n 1", b.Bytes(), err)
	}
}

func TestHealthAndMetrics(t *testing.T) {
	reg := observe.NewRegistry()
	c := prometheus.NewCounter(prometheus.CounterOpts{Name: "lull_test_total", Help: "Test."})
	reg.MustRegister(c)
	var wrong []error
	addr, stop, err := observe.Serve("127.0.0.1:0", observe.Handler(reg, func() []error { return wrong }))
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	expect(t, "http://"+addr+"/metrics", http.StatusOK, "lull_test_total 0")
	expect(t, "http://"+addr+"/healthz", http.StatusOK, "ok")
	wrong = []error{errors.New("slotter.all: the log has no room")}
	expect(t, "http://"+addr+"/healthz", http.StatusServiceUnavailable, "no room")
}

func expect(t *testing.T, url string, status int, text string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // read only
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != status || !strings.Contains(string(body), text) {
		t.Errorf("GET %s = %d, %v, want %d and %q in\n%.300s", url, resp.StatusCode, err, status, text, body)
	}
}
