package jobs

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"lull/client/forecast"
	"lull/subjects"
)

var update = flag.Bool("update", false, "rewrite the golden files; read the diff")

func TestMain(m *testing.M) {
	flag.Parse()
	// Texts show local times. Not by time.Local: the NATS server reads that once a second.
	if err := os.Setenv("TZ", "UTC"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func admitted() *subjects.Forecast {
	return &subjects.Forecast{
		Name: "report", Verdict: "admitted", Mode: "affected", At: "2026-11-21T12:00:00Z", FinishSeconds: 250.2, Idle: 14.5, Cores: 16, Days: 2, Text: "done in about 4m 10s, 5m 50s before its deadline, behind 2 jobs of 1m 30s",
		Deadline: "2026-11-21T12:10:00Z", Finish: "2026-11-21T12:04:10Z", Soonest: "2026-11-21T12:03:20Z", Latest: "2026-11-21T12:05:30Z",
		Slack: 350, Earliest: "2026-11-21T12:05:00Z", Margin: 0.12, Ahead: 2, AheadSeconds: 90,
		Pushed: []subjects.Push{{Job: "night-ab", By: 60, Slack: 1800}}, PushedJobs: 1,
		Stages: []subjects.Assumption{
			{Stage: "map", Model: "report:map", Tasks: 40, Seconds: 12.5, Slots: 16, Basis: subjects.BasisModel, Samples: 310, NRMSE: 0.07},
			{Stage: "sort", Model: "report:sort", Tasks: 4, Seconds: 30, Slots: 16, Basis: subjects.BasisModel, Samples: 25, NRMSE: 0.2, Drift: true},
			{Stage: "pack", Model: "report:pack", Tasks: 2, Seconds: 3, Slots: 16, Basis: subjects.BasisModel, Samples: 2},
			{Stage: "send", Model: "report:send", Tasks: 1, Seconds: 5, Slots: 16, Basis: subjects.BasisEstimate},
		},
	}
}

func rejected() *subjects.Forecast {
	return &subjects.Forecast{
		Name: "report", Verdict: "rejected", Code: subjects.ReasonOthers, Mode: "affected",
		Text:     "it would make job night-ab miss its deadline by 40 s\nAssumed: a task of stage map takes 1m 00s on an idle core (a guess, because none has run yet); 3.2 of 4 cores are idle\nWhat helps: estimate: in the document",
		Deadline: "2026-11-21T12:02:00Z", Finish: "2026-11-21T12:01:30Z", Slack: 30, Earliest: "2026-11-21T12:31:00Z",
		Pushed: []subjects.Push{{Job: "night-ab", By: 70, Slack: -40}}, PushedJobs: 20,
		Stages: []subjects.Assumption{{Stage: "map", Model: "report", Tasks: 8, Seconds: 60, Slots: 4, Basis: subjects.BasisDefault}},
	}
}

func tried() *subjects.Forecast {
	return &subjects.Forecast{
		Name: "report", Verdict: "trying", Mode: "affected", At: "2026-11-21T12:00:00Z", Until: "2026-11-21T14:24:00Z",
		Text:   "too little is known of how long its tasks take: up to 6 of each stage run first, and the verdict follows from them, at the latest in 2h 24m",
		Finish: "2026-11-21T12:02:00Z", FinishSeconds: 120,
		Deadline: "2026-11-22T12:00:00Z", Slack: 86280, Idle: 3.2, Cores: 4, Observed: 180,
		Stages: []subjects.Assumption{{Stage: "map", Model: "report", Tasks: 8, Seconds: 60, Slots: 4, Basis: subjects.BasisDefault}},
	}
}

func TestForecastsAreGolden(t *testing.T) {
	for name, f := range map[string]*subjects.Forecast{"admitted": admitted(), "rejected": rejected(), "tried": tried()} {
		var b bytes.Buffer
		if err := printForecast(&b, forecast.Of(f, now)); err != nil {
			t.Fatal(err)
		}
		path := "testdata/" + name + ".golden"
		if *update {
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if b.String() != string(want) {
			t.Errorf("printForecast(%s) =\n%s\nwant\n%s", name, b.String(), want)
		}
	}
}

// A job that no host can run has no times, and an admitted one without a
// deadline nothing to spare.
func TestWhatIsNotKnownIsLeftOut(t *testing.T) {
	for _, f := range []*subjects.Forecast{
		{Verdict: "rejected", Code: subjects.ReasonNoHost, Text: "stage a asks for 64 cores a task.", Mode: "affected"},
		{Verdict: "admitted", Text: "done in about 10s", Mode: "all", Finish: "2026-11-21T12:00:10Z"},
	} {
		var b bytes.Buffer
		if err := printForecast(&b, forecast.Of(f, now)); err != nil {
			t.Fatal(err)
		}
		for _, never := range []string{"STAGE", "later", "to spare", "Deadline", "..", "0001"} {
			if strings.Contains(b.String(), never) {
				t.Errorf("printForecast() says %q, want it left out of\n%s", never, b.String())
			}
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestAWriteThatFailsIsSaid(t *testing.T) {
	if err := printForecast(full{}, forecast.Of(admitted(), now)); err == nil {
		t.Error("printForecast() to a writer that is full = nil, want an error")
	}
}
