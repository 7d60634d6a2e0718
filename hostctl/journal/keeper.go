package journal

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"lull/actors"
	"lull/subjects/history"
)

// maxWaiting is how many samples wait for a disk that hangs: a day.
const maxWaiting = history.PerDay

// Config of a keeper. All but HasName and Logger are required.
type Config struct {
	Bus    actors.Bus
	Host   string
	Folder string // for the journals
	// HasName reports whether the agent has the host's name: before that, another agent may write
	// under it. Nil for always.
	HasName func() bool
	// Now is the host's time. Defaults to time.Now.
	Now    func() time.Time
	Logger *slog.Logger
}

// Sample is one that Put takes.
type Sample struct {
	Slot   int64
	Sample history.Sample
	Owner  history.Owner
}

// Keeper keeps a host's samples and sends them. Put is safe for concurrent use.
type Keeper struct {
	cfg     Config
	pending chan Sample
	done    chan struct{}
	mu      struct {
		sync.Mutex
		days []*day // oldest first
	}
	met     *metrics
	failing bool // the state of the disk that was logged last
	offline bool // and of the server
}

// New reads what an earlier process left. If journals are damaged, it continues with the readable
// rest.
func New(cfg Config) *Keeper {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	k := &Keeper{cfg: cfg, met: newMetrics(cfg.Host, cfg.Now()), pending: make(chan Sample, maxWaiting), done: make(chan struct{})}
	days, err := openDays(cfg.Folder)
	if err != nil {
		cfg.Logger.Warn("samples of the primary's use that were not sent may be lost", "error", err)
	}
	k.mu.days = days
	return k
}

// Put takes a sample and never waits. While the disk hangs for more than a day, samples are
// dropped.
func (k *Keeper) Put(s Sample) {
	select {
	case k.pending <- s:
	default:
		k.met.dropped.Inc()
	}
}

// lastWrite bounds the wait for a disk at the end.
const lastWrite = 2 * time.Second

// Begin writes samples to the disk and sends them until ctx ends or end is called. end returns
// when the samples that were put are on the disk, unless it hangs; Put must not be called after
// it.
func (k *Keeper) Begin(ctx context.Context) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	sent := make(chan struct{})
	go k.write()
	go func() {
		defer close(sent)
		k.sendEachTurn(ctx)
	}()
	return func() {
		stop()
		<-sent
		close(k.pending)
		select {
		case <-k.done:
		case <-time.After(lastWrite):
			k.cfg.Logger.Warn("the last samples of the primary's use are not kept: the disk does not answer", "folder", k.cfg.Folder)
		}
	}
}

func (k *Keeper) write() {
	defer close(k.done)
	for s := range k.pending {
		k.keep(s)
	}
}

// keep adds a sample to its day and journal.
func (k *Keeper) keep(s Sample) {
	k.mu.Lock()
	defer k.mu.Unlock()
	d := k.dayOf(s.Slot)
	if len(d.waiting) < maxWaiting {
		d.waiting = append(d.waiting, s)
	} else {
		k.met.dropped.Inc()
	}
	err := d.write()
	if err != nil && !k.failing {
		k.cfg.Logger.Warn("samples of the primary's use are kept in memory alone: they are lost if the agent ends before the disk takes them, or before it sends them", "error", err)
	}
	k.failing = err != nil
}

// write brings the waiting samples to the disk, and those that it took into the block.
func (d *day) write() error {
	for i, s := range d.waiting {
		var entry history.Block
		entry.Put(s.Slot, s.Sample, s.Owner)
		if err := d.append(&entry); err != nil {
			d.waiting = d.waiting[i:]
			return err
		}
		d.unsent = d.block.Add(s.Slot, s.Sample, s.Owner) || d.unsent
	}
	d.waiting = d.waiting[:0]
	return nil
}

// dayOf finds or begins the day of a slot. It needs mu.
func (k *Keeper) dayOf(slot int64) *day {
	begin := history.DayOf(slot)
	for _, d := range k.mu.days {
		if history.DayOf(d.block.From) == begin {
			return d
		}
	}
	d := &day{block: history.Block{From: slot}}
	d.path = filepath.Join(k.cfg.Folder, d.block.Name()+suffix)
	at := slices.IndexFunc(k.mu.days, func(other *day) bool { return other.block.From > slot }) // a clock may have been set back
	if at < 0 {
		at = len(k.mu.days)
	}
	k.mu.days = slices.Insert(k.mu.days, at, d)
	k.dropExcessDays(begin)
	return d
}

// dropExcessDays forgets the oldest of too many days up to the present one, and the last of too many in its
// future. A clock that jumped ahead, or back, leaves days that must not take the place of those that
// it goes on with. It needs mu.
func (k *Keeper) dropExcessDays(present int64) {
	future := slices.IndexFunc(k.mu.days, func(d *day) bool { return history.DayOf(d.block.From) > present })
	if future < 0 {
		future = len(k.mu.days)
	}
	k.forget(future+keptDays, len(k.mu.days))
	k.forget(0, future-keptDays)
}

// forget removes days by their places, if there are that many.
func (k *Keeper) forget(from, to int) {
	if from >= to {
		return
	}
	for _, d := range k.mu.days[from:to] {
		if err := os.Remove(d.path); err != nil && !os.IsNotExist(err) {
			k.cfg.Logger.Warn("an old journal of samples stays on the disk", "error", err)
		}
	}
	k.mu.days = slices.Delete(k.mu.days, from, to)
}
