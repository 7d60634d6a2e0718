package journal

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	"lull/subjects"
	"lull/subjects/history"
)

const (
	// sendEvery is the time between two sends, again that after a failed one.
	sendEvery  = time.Hour
	retryAfter = 5 * time.Minute
	// answerPatience bounds the wait for the server's answer to one block.
	answerPatience = 10 * time.Second
)

// errSilent says that the server did not answer.
var errSilent = errors.New("the server does not answer")

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

func (k *Keeper) period() time.Duration {
	if k.offline {
		return retryAfter
	}
	return sendEvery
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

// Send sends each day that has samples the pool has not got, oldest first. A day that the pool does
// not take stays, and the others are sent. When the server does not answer, the rest waits.
func (k *Keeper) Send(ctx context.Context) {
	if k.cfg.HasName != nil && !k.cfg.HasName() {
		return
	}
	var failed error
	for _, d := range k.unsent() {
		err := k.send(ctx, d)
		failed = errors.Join(failed, err)
		if errors.Is(err, errSilent) || ctx.Err() != nil {
			break
		}
	}
	switch {
	case failed != nil && !k.offline && ctx.Err() == nil:
		k.cfg.Logger.Warn("samples of the primary's use are not sent; they stay on this host's disk for a week", "error", failed)
	case failed == nil && k.offline:
		k.cfg.Logger.Info("samples of the primary's use are sent again")
	}
	if k.offline = failed != nil; !k.offline {
		k.met.sent.Set(float64(k.cfg.Now().Unix()))
	}
}

// unsent lists the days to send. Days that begin in the future wait until then: the clock had jumped
// ahead when their samples were taken.
func (k *Keeper) unsent() (days []*day) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := history.Slot(k.cfg.Now())
	for _, d := range k.mu.days {
		if d.block.From <= now && (d.unsent || len(d.waiting) > 0) {
			days = append(days, d)
		}
	}
	return days
}

func (k *Keeper) send(ctx context.Context, d *day) error {
	ctx, cancel := context.WithTimeout(ctx, answerPatience)
	defer cancel()
	k.mu.Lock()
	messages := d.messages(k.cfg.Bus.Pool(), k.cfg.Host)
	d.unsent = false // a sample that comes meanwhile sets it again
	k.mu.Unlock()
	for _, m := range messages {
		err := k.cfg.Bus.PutHistory(ctx, m)
		if err == nil {
			continue
		}
		k.mu.Lock()
		d.unsent = true
		k.mu.Unlock()
		if ctx.Err() != nil {
			return fmt.Errorf("%w: %w", errSilent, err)
		}
		k.met.refused.Inc()
		return err
	}
	return nil
}

// messages returns the day's block, if it has samples to send, and a block of the samples that wait
// for the disk. The second has a name of its own, so the block on the disk does not take its samples
// back after a restart. A sample of the slot that names the block keeps waiting.
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
