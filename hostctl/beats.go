package hostctl

import (
	"context"
	"sync"
	"time"

	"lull/subjects"
)

const (
	beatEvery   = time.Second
	beatSpacing = 100 * time.Millisecond // between two that say something new
)

// beats sends heartbeats: from memory alone, whatever the disk does.
type beats struct {
	agent *Agent
	news  chan struct{}
	mu    struct {
		sync.Mutex
		beat *subjects.Beat
	}
}

func newBeats(a *Agent) *beats { return &beats{agent: a, news: make(chan struct{}, 1)} }

// hold sets what is said from now on.
func (b *beats) hold(beat subjects.Beat) {
	beat.Boot = b.agent.boot
	b.mu.Lock()
	b.mu.beat = &beat
	b.mu.Unlock()
	notify(b.news)
}

func (b *beats) run(ctx context.Context) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			b.send()
		case <-b.news:
			b.send()
			select { // what changes meanwhile goes out together
			case <-time.After(beatSpacing):
			case <-ctx.Done():
				return
			}
		}
	}
}

func (b *beats) send() {
	b.mu.Lock()
	beat := b.mu.beat
	b.mu.Unlock()
	if beat == nil {
		return
	}
	m, err := subjects.EncodeTelemetry(b.agent.pool, beat)
	if err == nil {
		err = b.agent.cfg.Bus.Publish(m.Subject, m.Body)
	}
	if err != nil {
		b.agent.cfg.Logger.Debug("a heartbeat was not sent", "error", err)
	}
}
