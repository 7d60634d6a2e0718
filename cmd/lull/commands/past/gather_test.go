package past

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"lull/actors/memory"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/importer"
	"lull/cmd/lull/importer/prometheus"
	"lull/subjects/history"
)

// values is what a server says of a host's last hours: values in steps before now.
func values(host string, before int, values ...float64) prometheus.Series {
	s := prometheus.Series{Host: host, First: history.Slot(now) - int64(before), Values: values, Known: make([]bool, len(values))}
	for i := range s.Known {
		s.Known[i] = true
	}
	return s
}

func newGathering(file source) *gathering {
	return &gathering{file: &file, now: now, week: &importer.Import{Now: now}, last: map[string]int64{}, owners: map[string]string{}}
}

func TestValuesOfAServerAreShares(t *testing.T) {
	for what, c := range map[string]struct {
		file source
		of   float64
		want string // of the error, "" for none
	}{
		"a share":            {source{}, 0.5, ""},
		"slightly above":     {source{}, 1.003, ""},
		"percent":            {source{unit: "percent"}, 50, ""},
		"percent unsaid":     {source{}, 37, "host h at 2026-05-31T10:02:00Z: 37 is no share of the host: divide by its cores in the query, or say --unit percent"},
		"the sum of cores":   {source{unit: "percent"}, 370, "370 is more than 100 % of the host: divide by its cores"},
		"NaN":                {source{}, math.NaN(), "host h at 2026-05-31T10:02:00Z: the query gives NaN: it divides by zero there; --skip-bad"},
		"infinite":           {source{}, math.Inf(1), "divides by zero"},
		"negative":           {source{}, -0.1, "-0.1 is below zero"},
		"bad but left out":   {source{skipBad: true}, math.NaN(), ""},
		"mixed and left out": {source{skipBad: true}, 37, ""},
	} {
		g := newGathering(c.file)
		err := g.take(values("h", 60, c.of))
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || exit.Code(err) != exit.Usage || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: take() = %v, want %q", what, err, c.want)
		case c.file.skipBad && (g.Skipped != 1 || len(g.hosts()) != 0):
			t.Errorf("%s: skipped = %d, hosts = %v, want 1, none", what, g.Skipped, g.hosts())
		}
	}
}

func TestASeriesThatEndedIsNamed(t *testing.T) {
	g := newGathering(source{})
	for _, s := range []prometheus.Series{values("old", 60, 0.1, 0.2), values("new", 2, 0.1, 0.2)} {
		if err := g.take(s); err != nil {
			t.Fatal(err)
		}
	}
	if got := g.stale(); len(got) != 1 || got[0] != "old" {
		t.Errorf("stale() = %v, want old alone", got)
	}
}

// Samples of a server come in parts, also of a host that changed its tenant. What the host's agent
// has stands over them.
func TestPartsOfAServersAnswerMakeOneHistory(t *testing.T) {
	bus := memory.New("test")
	put(t, bus, "h", history.Agent, now.Add(-20*time.Minute), 5, "own")
	for range 2 {
		g := newGathering(source{})
		moved := values("h", 25, 0.3, 0.4)
		moved.Tenant = "db"
		for _, s := range []prometheus.Series{values("h", 30, 0.1, 0.2), moved, values("h", 10, 0.5)} {
			if err := g.take(s); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := g.week.Put(t.Context(), bus, false); err != nil {
			t.Fatal(err)
		}
	}
	survey := newSurvey(bus.Pool(), now)
	rows, err := survey.rows(t.Context(), bus)
	if err != nil || len(rows) != 1 || rows[0].Samples != 9 || rows[0].Agent != 5 || rows[0].Tenant != "own" {
		t.Errorf("rows() = %+v, %v, want one of 9 samples, 5 of the agent, tenant own", rows, err)
	}
}

func TestFlagsOfAServer(t *testing.T) {
	for want, c := range map[string]struct {
		q    query
		path string
		file source
	}{
		"name one of them":            {q: query{url: "http://h", text: "q", host: "i"}, path: "usage.csv"},
		"--query is missing":          {q: query{url: "http://h", host: "i"}},
		"--start is for files":        {q: query{url: "http://h", text: "q", host: "i"}, file: source{start: "x"}},
		"--tenants and":               {q: query{url: "http://h", text: "q", host: "i", owner: "t"}, file: source{tenants: "x"}},
		"--host-label is empty":       {q: query{url: "http://h", text: "q"}},
		"give a URL such as":          {q: query{url: "h:9090", text: "q", host: "i"}},
		"with a password in it":       {q: query{url: "http://me:word@h", text: "q", host: "i"}},
		"the file with the secret":    {q: query{url: "http://h", text: "q", host: "i", secret: "/nowhere"}},
		"--prometheus-ca: open":       {q: query{url: "https://h", text: "q", host: "i", ca: "/nowhere"}},
		"no certificate in PEM":       {q: query{url: "https://h", text: "q", host: "i", ca: file(t, "text")}},
		"it has to hold one line":     {q: query{url: "http://h", text: "q", host: "i", secret: file(t, "a\nb\n")}},
		"is open to every user of th": {q: query{url: "http://h", text: "q", host: "i", secret: "/etc/hostname"}},
	} {
		if _, err := c.q.source(c.path, &c.file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("source() = %v, want an error with %q", err, want)
		}
	}
}

// A file in which one host's values are shares and another's percent is refused until --unit says
// what they are.
func TestMixedUnitsOfAFile(t *testing.T) {
	s := source{path: file(t, "series_id,0,120\na,0.4,0.6\nb,40,60\n"), start: "2026-05-31T10:00:00Z"}
	_, err := s.read(now)
	if err == nil || !strings.Contains(err.Error(), "line 2: host a: no value is above 1, while those of other hosts are up to 60") {
		t.Errorf("read(shares and percent) = %v, want an error that names line 2, host a and the largest values", err)
	}
	s.unit = "percent"
	if _, err := s.read(now); err != nil {
		t.Errorf("read() with --unit percent = %v, want no error", err)
	}
}

func TestAnImportThatBreaksOffSaysWhatItPut(t *testing.T) {
	g := newGathering(source{})
	g.result.Blocks, g.result.New = 2, 700
	if err := g.partly(errors.New("gone")); !strings.Contains(err.Error(), "gone (700 new samples are in the pool already") {
		t.Errorf("partly(gone) = %v, want the error and the 700 samples that were put", err)
	}
}
