package shell

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// quarantine stores refused bytes outside the loop, so that a sender of garbage cannot stop the log. It
// is bounded, because a flood arrives faster than a disk syncs: messages without room are counted and
// not kept. (A goroutine for each message took 1.5 GB in ten seconds of flood, and still failed to
// keep most.) A message that came from a stream is still there under its sequence.
type quarantine struct {
	limiter limiter
	queue   chan refusal
	bytes   atomic.Int64 // of the bodies in queue
	full    time.Time    // time of the last warning that quarantine has no room
	warned  time.Time    // time of the last warning about a foreign message
}

// refusal is bytes that are no message of ours.
type refusal struct {
	where, id string
	reason    error
	body      []byte
}

const (
	quarantineQueue   = 4096
	quarantineBytes   = 8 << 20
	quarantineWorkers = 8 // messages stored at the same time share a sync of the disk
	warnEvery         = time.Minute
)

func newQuarantine() quarantine { return quarantine{queue: make(chan refusal, quarantineQueue)} }

// put queues a refusal, or returns false when there is no room.
func (q *quarantine) put(r refusal) bool {
	if q.bytes.Load() >= quarantineBytes {
		return false
	}
	q.bytes.Add(int64(len(r.body)))
	select {
	case q.queue <- r:
		return true
	default:
		q.bytes.Add(-int64(len(r.body)))
		return false
	}
}

// toQuarantine counts bytes that are no message of ours and keeps them with the
// reason. Bytes from a stream have an id, so that several readers keep them once.
func (s *Shell) toQuarantine(where, id string, reason error, body []byte) {
	s.metrics.countQuarantined(where)
	if id == "" {
		if !s.quarantine.limiter.pass() {
			return
		}
		id = fmt.Sprintf("%s-%s-%d", where, s.cfg.Instance, time.Now().UnixNano())
	}
	if s.quarantine.put(refusal{where, id, reason, body}) {
		return
	}
	s.metrics.unkept.Inc()
	if now := time.Now(); now.Sub(s.quarantine.full) > warnEvery {
		s.quarantine.full = now
		s.cfg.Logger.Warn("undecodable messages arrive faster than they can be kept in quarantine: some are only counted", "where", where, "id", id, "reason", reason)
	}
}

// warnForeign reports whether the next warning about foreign messages is due.
func (q *quarantine) warnForeign() bool {
	now := time.Now()
	if now.Sub(q.warned) <= warnEvery {
		return false
	}
	q.warned = now
	return true
}

// goQuarantine starts the goroutines that store what was queued.
func (s *Shell) goQuarantine() {
	for range quarantineWorkers {
		s.spawn(func() {
			for {
				select {
				case r := <-s.quarantine.queue:
					s.storeRefusal(r)
				case <-s.ctx.Done():
					return
				}
			}
		})
	}
}

func (s *Shell) storeRefusal(r refusal) {
	defer s.quarantine.bytes.Add(-int64(len(r.body)))
	ctx, cancel := context.WithTimeout(s.ctx, leaveWithin)
	defer cancel()
	if err := s.cfg.Bus.Quarantine(ctx, r.where, r.id, r.reason.Error(), r.body); err != nil && s.ctx.Err() == nil {
		s.metrics.unkept.Inc()
		s.cfg.Logger.Debug("refused bytes were not kept", "where", r.where, "id", r.id, "reason", r.reason, "error", err)
	}
}

// limiter passes a few messages each second.
type limiter struct {
	second time.Time
	passed int
}

// quarantinePerSecond bounds how many messages without a sequence are quarantined. A flood of garbage
// telemetry must not fill a disk.
const quarantinePerSecond = 10

func (l *limiter) pass() bool {
	if now := time.Now().Truncate(time.Second); !now.Equal(l.second) {
		l.second, l.passed = now, 0
	}
	l.passed++
	return l.passed <= quarantinePerSecond
}
