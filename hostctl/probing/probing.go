// Package probing measures how fast another host sends to this one. Only agents that were started with --probe do
// it, and serve it to others, one probe at a time and within a budget.
//
//	client ──GET /v1/probe/b──▶  agent a ──GET /v1/probe──▶ agent b
//	client ◀──bytes, seconds──── agent a ◀──── bytes ─────── agent b
//
// Both requests need a ticket of the agent that they go to.
package probing

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"lull/subjects"
	"lull/subjects/agentpath"
)

const (
	// mostBytes and mostTime bound a probe: what comes first ends it.
	mostBytes = 64 << 20
	mostTime  = 2 * time.Second
	// patience is how long the other host may take to begin.
	patience = 5 * time.Second
	// chunk is what is sent at once, in bytes.
	chunk = 64 << 10
)

// Prober answers requests for probes. All exported fields are required.
type Prober struct {
	// Ticket asks another host for a ticket, and for where it serves.
	Ticket func(ctx context.Context, host string) (subjects.TicketAnswer, error)
	// HTTP is the transport of requests to other hosts.
	HTTP http.RoundTripper

	busy   sync.Mutex
	budget budget // guarded by busy
}

// ErrOff is what an agent without --probe says.
var ErrOff = errors.New("this agent was started without --probe")

// Handle adds the two requests to a server. p is nil for an agent that was started without --probe.
func (p *Prober) Handle(mux *http.ServeMux) {
	mux.HandleFunc("GET "+agentpath.ProbePattern, func(w http.ResponseWriter, r *http.Request) { p.alone(w, r, p.send) })
	mux.HandleFunc("GET "+agentpath.ProbeOfPattern, func(w http.ResponseWriter, r *http.Request) { p.alone(w, r, p.measure) })
}

// alone answers a request while no other probe runs, within the agent's budget.
func (p *Prober) alone(w http.ResponseWriter, r *http.Request, answer http.HandlerFunc) {
	switch {
	case p == nil:
		http.Error(w, ErrOff.Error(), http.StatusNotFound)
	case !p.busy.TryLock():
		http.Error(w, "another probe of this agent is under way: try again in a few seconds", http.StatusConflict)
	default:
		defer p.busy.Unlock()
		if wait, ok := p.budget.take(time.Now()); !ok {
			http.Error(w, fmt.Sprintf("this agent has used up its probes, %d at once and one more each %v: try again in %v",
				atOnce, every, (wait+time.Second).Truncate(time.Second)), http.StatusTooManyRequests)
			return
		}
		answer(w, r)
	}
}

// send sends bytes that nothing on the way can make fewer.
func (p *Prober) send(w http.ResponseWriter, r *http.Request) {
	var noise [chunk]byte
	rng := rand.NewChaCha8([32]byte{})
	_, _ = rng.Read(noise[:]) // never fails
	end := time.Now().Add(mostTime)
	writes := http.NewResponseController(w)
	_ = writes.SetWriteDeadline(end.Add(time.Second))           // a reader that stops reading holds no probe
	defer func() { _ = writes.SetWriteDeadline(time.Time{}) }() // the connection's next answer may take longer
	for sent := 0; sent < mostBytes && time.Now().Before(end) && r.Context().Err() == nil; sent += chunk {
		if _, err := w.Write(noise[:]); err != nil {
			return // the reader has enough
		}
	}
}

// measure asks the host that the path names for bytes, and answers how many came in which time.
func (p *Prober) measure(w http.ResponseWriter, r *http.Request) {
	answer, err := p.probe(r.Context(), r.PathValue("host"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // a reader that is gone needs no answer
}

func (p *Prober) probe(ctx context.Context, host string) (answer subjects.ProbeAnswer, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience+mostTime)
	defer cancel()
	if err := subjects.CheckToken("host", host); err != nil {
		return answer, err // it becomes part of a subject
	}
	ticket, err := p.Ticket(ctx, host)
	if err != nil {
		return answer, fmt.Errorf("host %s gives no ticket: %w", host, err)
	}
	if ticket.URL == "" {
		return answer, fmt.Errorf("the lull of host %s is too old to be probed", host)
	}
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(ticket.URL, "/")+agentpath.Probe, nil)
	if err != nil {
		return answer, err
	}
	ask.Header.Set("Authorization", "Bearer "+ticket.Ticket)
	res, err := p.HTTP.RoundTrip(ask)
	if err != nil {
		return answer, fmt.Errorf("host %s: %w", host, err)
	}
	defer res.Body.Close() //nolint:errcheck // read only
	if res.StatusCode != http.StatusOK {
		why, _ := io.ReadAll(io.LimitReader(res.Body, 1<<10)) // what came of it
		return answer, fmt.Errorf("host %s: %s", host, cmp.Or(strings.TrimSpace(string(why)), res.Status))
	}
	return count(res.Body)
}

// count reads until there is no more, or the time is over.
func count(body io.Reader) (answer subjects.ProbeAnswer, err error) {
	began := time.Now()
	buffer := make([]byte, chunk)
	for time.Since(began) < mostTime {
		var n int
		n, err = body.Read(buffer)
		answer.Bytes += int64(n)
		if err != nil {
			break
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	answer.Seconds = time.Since(began).Seconds()
	return answer, err
}
