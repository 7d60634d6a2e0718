package record

import (
	"context"
	"hash/fnv"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/history"
)

const (
	// every is the time between two sends, again that after a failed one.
	every = time.Hour
	again = 5 * time.Minute
	// patience bounds the wait for the server's answer to one block.
	patience = 10 * time.Second
	// waiting is how many samples wait for a disk that hangs: a day.
	waiting = history.PerDay
)

// Config of a keeper. All but Named and Logger are required.
type Config struct {
	Bus    actors.Bus
	Host   string
	Folder string // for the journals
	// Named reports whether the agent has the host's name: before that, another agent may write
	// under it. Nil for always.
	Named  func() bool
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
	failing bool // the state of the disk that was logged last
	offline bool // and of the server
}

// New reads what an earlier process left. If journals are damaged, it continues with the readable
// rest.
func New(cfg Config) *Keeper {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	k := &Keeper{cfg: cfg, pending: make(chan Sample, waiting), done: make(chan struct{})}
	days, err := open(cfg.Folder)
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

func (k *Keeper) sendEachTurn(ctx context.Context) {
	for {
		timer := time.NewTimer(Delay(k.cfg.Host, time.Now(), k.period()))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
		k.Send(ctx)
	}
}

func (k *Keeper) write() {
	defer close(k.done)
	for s := range k.pending {
		k.keep(s)
	}
}

func (k *Keeper) period() time.Duration {
	if k.offline {
		return again
	}
	return every
}

// Delay is the time until the host's next turn to send. Turns of one host are a period apart;
// those of all hosts are spread over it by their names.
func Delay(host string, now time.Time, period time.Duration) time.Duration {
	h := fnv.New64a()
	_, _ = h.Write([]byte(host))
	phase := time.Duration(h.Sum64() % uint64(period))
	since := time.Duration(now.UnixNano()) % period
	if d := phase - since; d > 0 {
		return d
	}
	return phase - since + period
}

// keep adds a sample to its day and journal.
func (k *Keeper) keep(s Sample) {
	k.mu.Lock()
	defer k.mu.Unlock()
	d := k.dayOf(s.Slot)
	if len(d.waiting) < waiting {
		d.waiting = append(d.waiting, s)
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

// dayOf finds or begins the day of a slot, and forgets the oldest day of too many. It needs mu.
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
	for len(k.mu.days) > keptDays {
		old := k.mu.days[0]
		k.mu.days = k.mu.days[1:]
		if err := os.Remove(old.path); err != nil && !os.IsNotExist(err) {
			k.cfg.Logger.Warn("an old journal of samples stays on the disk", "error", err)
		}
	}
	return d
}

// Send sends each day that has samples the pool has not got, oldest first, until the first
// failure.
func (k *Keeper) Send(ctx context.Context) {
	if k.cfg.Named != nil && !k.cfg.Named() {
		return
	}
	for _, d := range k.unsent() {
		if err := k.send(ctx, d); err != nil {
			if !k.offline && ctx.Err() == nil {
				k.cfg.Logger.Warn("samples of the primary's use are not sent; they stay on this host's disk for a week", "error", err)
			}
			k.offline = true
			return
		}
	}
	if k.offline {
		k.cfg.Logger.Info("samples of the primary's use are sent again")
	}
	k.offline = false
}

func (k *Keeper) unsent() (days []*day) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, d := range k.mu.days {
		if d.unsent || len(d.waiting) > 0 {
			days = append(days, d)
		}
	}
	return days
}

func (k *Keeper) send(ctx context.Context, d *day) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	k.mu.Lock()
	messages := d.messages(k.cfg.Bus.Pool(), k.cfg.Host)
	d.unsent = false // a sample that comes meanwhile sets it again
	k.mu.Unlock()
	for _, m := range messages {
		if err := k.cfg.Bus.PutHistory(ctx, m); err != nil {
			k.mu.Lock()
			d.unsent = true
			k.mu.Unlock()
			return err
		}
	}
	return nil
}

// messages returns the day's block, if it has samples to send, and a block of the samples that wait
// for the disk. The second has a name of its own. So the block on the disk does not take its
// samples back after a restart; samples of the hour that names the block keep waiting.
func (d *day) messages(pool subjects.Pool, host string) (all []subjects.Message) {
	if d.unsent && len(d.block.Samples) > 0 {
		all = append(all, history.Message(pool, host, &d.block))
	}
	var loose history.Block
	for _, s := range d.waiting {
		if one := (history.Block{From: s.Slot}); len(d.block.Samples) == 0 || one.Name() != d.block.Name() {
			loose.Add(s.Slot, s.Sample, s.Owner)
		}
	}
	if len(loose.Samples) > 0 {
		all = append(all, history.Message(pool, host, &loose))
	}
	return all
}
