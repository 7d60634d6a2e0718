package probing

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lull/subjects"
	"lull/subjects/agentpath"
)

// pair is two agents, of which a knows where b serves.
func pair(t *testing.T, a, b *Prober) (urlA, urlB string) {
	t.Helper()
	serve := func(p *Prober) string {
		mux := http.NewServeMux()
		p.Handle(mux)
		s := httptest.NewServer(mux)
		t.Cleanup(s.Close)
		return s.URL
	}
	urlB = serve(b)
	if a != nil {
		a.HTTP = &http.Transport{}
		a.Ticket = func(_ context.Context, host string) (subjects.TicketAnswer, error) {
			switch host {
			case "b":
				return subjects.TicketAnswer{Ticket: "t", URL: urlB}, nil
			case "old":
				return subjects.TicketAnswer{Ticket: "t"}, nil
			}
			return subjects.TicketAnswer{}, errors.New("no such host")
		}
	}
	return serve(a), urlB
}

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // read only
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

func TestAProbeCountsWhatComes(t *testing.T) {
	a, _ := pair(t, &Prober{}, &Prober{})
	status, body := get(t, a+agentpath.ProbeOf("b"))
	var answer subjects.ProbeAnswer
	if err := json.Unmarshal([]byte(body), &answer); err != nil || status != http.StatusOK {
		t.Fatalf("probe = %d %s, want 200 and an answer", status, body)
	}
	if !(answer.Seconds > 0) || answer.Seconds > 3 || answer.Bytes < chunk || answer.Bytes > mostBytes {
		t.Errorf("answer = %+v, want %d to %d bytes within 3 s", answer, chunk, mostBytes)
	}
}

func TestProbesThatAreRefused(t *testing.T) {
	busy := &Prober{}
	busy.busy.Lock()
	for name, c := range map[string]struct {
		a, b   *Prober
		of     string
		status int
		text   string
	}{
		"an agent without --probe":             {nil, &Prober{}, "b", http.StatusNotFound, "this agent was started without --probe"},
		"the other one is without it":          {&Prober{}, nil, "b", http.StatusBadGateway, "host b: this agent was started without --probe"},
		"another probe of the other is on":     {&Prober{}, busy, "b", http.StatusBadGateway, "another probe of this agent is under way"},
		"the other one is of an older release": {&Prober{}, &Prober{}, "old", http.StatusBadGateway, "too old"},
		"several hosts":                        {&Prober{}, &Prober{}, "b.c", http.StatusBadGateway, `host "b.c" holds '.'`},
		"an unknown host":                      {&Prober{}, &Prober{}, "c", http.StatusBadGateway, "host c gives no ticket: no such host"},
	} {
		a, _ := pair(t, c.a, c.b)
		if status, body := get(t, a+agentpath.ProbeOf(c.of)); status != c.status || !strings.Contains(body, c.text) {
			t.Errorf("%s: %d %s, want %d %s", name, status, body, c.status, c.text)
		}
	}
	_, b := pair(t, nil, busy)
	if status, body := get(t, b+agentpath.Probe); status != http.StatusConflict {
		t.Errorf("beside another probe: %d %s, want 409", status, body)
	}
}
