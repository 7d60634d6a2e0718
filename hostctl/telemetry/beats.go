package telemetry

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"lull/hostctl/coalesce"
	"lull/subjects"
)

const (
	beatInterval = time.Second
	beatSpacing  = 100 * time.Millisecond // between two with different contents
)

// Beats sends heartbeats. It reads memory only, so a slow disk does not delay them. Its lock is a
// leaf.
type Beats struct {
	sender Sender
	logger *slog.Logger
	news   coalesce.Signal
	mu     struct {
		sync.Mutex
		beat *subjects.Beat // nil until the first Set
	}
}

// NewBeats returns heartbeats that are not sent before Set was called.
func NewBeats(s Sender, logger *slog.Logger) *Beats {
	return &Beats{sender: s, logger: logger, news: coalesce.New()}
}

// Set replaces the heartbeat, and sends the new one soon.
func (b *Beats) Set(beat subjects.Beat) {
	b.mu.Lock()
	b.mu.beat = &beat
	b.mu.Unlock()
	b.news.Raise()
}

// Run sends heartbeats until ctx ends.
func (b *Beats) Run(ctx context.Context) {
	tick := time.NewTicker(beatInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			b.send()
		case <-b.news:
			b.send()
			select { // changes during this pause are sent together
			case <-time.After(beatSpacing):
			case <-ctx.Done():
				return
			}
		}
	}
}

func (b *Beats) send() {
	b.mu.Lock()
	beat := b.mu.beat
	b.mu.Unlock()
	if beat == nil {
		return
	}
	if err := b.sender.Send(beat); err != nil {
		b.logger.Debug("a heartbeat was not sent", "error", err)
	}
}
