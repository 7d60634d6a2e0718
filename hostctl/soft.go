package hostctl

import (
	"context"
	"fmt"
	"sync"
	"time"

	"lull/hostctl/actor"
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

// diskEvery is how often free space is looked at.
const diskEvery = time.Second

// watchDisk stops starting tasks while the disk is full.
func (a *Agent) watchDisk(ctx context.Context) {
	tick := time.NewTicker(diskEvery)
	defer tick.Stop()
	for full := false; ; {
		if now, text := a.diskFull(full); now != full {
			full = now
			a.mu.Lock()
			a.mu.full = full
			a.mu.Unlock()
			a.report(actor.Disk{Full: full})
			if full {
				a.cfg.Logger.Error("the disk is full: nothing starts until there is room", "space", text, "folder", a.store.Root())
			} else {
				a.cfg.Logger.Info("the disk has room again", "space", text)
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// diskFull compares free space with the floor; once full, a quarter more must
// be free before it counts as room.
func (a *Agent) diskFull(was bool) (full bool, text string) {
	free, total, err := a.store.Space()
	if err != nil {
		return was, err.Error()
	}
	floor := a.cfg.MinFree
	if floor == 0 {
		floor = max(64<<20, total/100)
	}
	if was {
		floor += floor / 4
	}
	return free < floor, fmt.Sprintf("%d MB free, %d MB needed", free>>20, floor>>20)
}

// wish asks for all tasks to be frozen or thawed; the newest wish counts.
func (a *Agent) wish(frozen bool) {
	for {
		select {
		case a.freeze <- frozen:
			return
		default:
		}
		select {
		case <-a.freeze:
		default:
		}
	}
}

// freezePatience bounds the wait for processes to stop; the kernel goes on
// stopping them after that.
const freezePatience = 5 * time.Second

// gates carries out wishes, one at a time.
func (a *Agent) gates(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case frozen := <-a.freeze:
			a.gate(ctx, frozen)
		}
	}
}

func (a *Agent) gate(ctx context.Context, frozen bool) {
	ctx, stop := context.WithTimeout(ctx, freezePatience)
	defer stop()
	var all sync.WaitGroup
	for _, s := range a.slots {
		all.Go(func() {
			if err := s.freeze(ctx, frozen); err != nil {
				a.cfg.Logger.Error("a slot cannot be stopped or continued", "slot", s.n, "frozen", frozen, "error", err)
			}
		})
	}
	all.Wait()
}
