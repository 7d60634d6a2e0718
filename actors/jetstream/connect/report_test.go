package connect

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"
)

// Without a handler nats.go prints each error in a form of its own, thousands a second.
func TestEveryConnectionHasAnErrorHandler(t *testing.T) {
	got := nats.GetDefaultOptions()
	for _, option := range Options("test") {
		if err := option(&got); err != nil {
			t.Fatal(err)
		}
	}
	if got.AsyncErrorCB == nil {
		t.Error("AsyncErrorCB = nil, want one, or nats.go prints what the connection reports")
	}
}

func TestErrorsAreCountedAndLoggedOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		reg := prometheus.NewRegistry()
		newReports("lull slotter", slog.New(slog.DiscardHandler), reg) // of an earlier connection
		r := newReports("lull slotter", slog.New(slog.NewTextHandler(&log, nil)), reg)
		slow := func(n int) {
			for range n {
				r.handle(nil, &nats.Subscription{Subject: "lull.default.usage.*"}, nats.ErrSlowConsumer)
			}
		}
		slow(1000)
		r.handle(nil, nil, errors.New("something else"))
		if text := log.String(); strings.Count(text, "\n") != 2 || !strings.Contains(text, "dropped (subject lull.default.usage.*)") || !strings.Contains(text, "something else") {
			t.Errorf("log of a thousand errors of one kind and one of another =\n%s\nwant two lines", text)
		}
		time.Sleep(reportEvery)
		log.Reset()
		slow(3)
		if text := log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "since_last=999") {
			t.Errorf("log a minute later = %q, want one line with since_last=999", text)
		}
		families, err := reg.Gather()
		if err != nil || len(families) != 1 || len(families[0].GetMetric()) != 2 {
			t.Fatalf("Gather() = %v, %v, want one family of two metrics", families, err)
		}
		if n := families[0].GetMetric()[1].GetCounter().GetValue(); n != 1003 { // slow_consumer, after other
			t.Errorf("%v are counted, want 1003", n)
		}
	})
}
