package pure

import (
	"context"
	"fmt"
	"os"
	"time"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/actors/jetstream/embedded"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/test/report"
	"lull/test/stat"
)

// throughLog measures the way of decisions through the log: encode, append as
// atomic batches with one in flight, echo, decode, fold. The last row is what
// durability costs: the same with the server's default, an fsync every two
// minutes.
func throughLog(ctx context.Context, r *report.Report, quick bool) error {
	batches := 100
	if quick {
		batches = 5
	}
	if err := pumpAll(ctx, r, true, batches, 1, 10, 100, actors.MaxBatch); err != nil {
		return err
	}
	last := r.Rows[len(r.Rows)-1]
	r.Checks = append(r.Checks, report.AtLeast("events/s through the log, full batches", last[2].Value.(float64), 20_000))
	return pumpAll(ctx, r, false, 10*batches, 1)
}

// pumpAll adds a row for each batch size, on a server of its own.
func pumpAll(ctx context.Context, r *report.Report, sync bool, batches int, sizes ...int) error {
	dir, err := os.MkdirTemp("", "lull-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a leftover in the temporary folder
	server, err := embedded.Start(embedded.Config{Dir: dir, SyncAlways: sync})
	if err != nil {
		return err
	}
	defer func() { _ = server.Shutdown() }() // the folder goes anyway
	conn, err := server.Conn("bench")
	if err != nil {
		return err
	}
	defer conn.Close()
	bus, err := jetstream.Open(ctx, conn, subjects.DefaultPool)
	if err != nil {
		return err
	}
	for _, size := range sizes {
		took, err := pump(ctx, bus, batches, size)
		if err != nil {
			return err
		}
		r.Rows = append(r.Rows, report.Row{
			{Key: "through_the_log", Value: map[bool]string{true: "fsync", false: "no fsync"}[sync]},
			{Key: "batch", Value: size}, {Key: "events_per_s", Value: float64(batches*size) / took.Seconds()},
			{Key: "ms_a_batch", Value: stat.Milliseconds(took) / float64(batches)},
		})
	}
	return nil
}

// pump sends batches of assignments one after the other, each when the last
// one has been folded.
func pump(ctx context.Context, bus *jetstream.Bus, batches, size int) (time.Duration, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	info, err := bus.Log(ctx)
	if err != nil {
		return 0, err
	}
	echoes, err := bus.Follow(ctx, info.Last+1, "")
	if err != nil {
		return 0, err
	}
	state := ledger.New()
	start := time.Now()
	for range batches {
		batch, err := assignments(size)
		if err != nil {
			return 0, err
		}
		last, err := bus.Append(ctx, batch, actors.Fence{})
		if err != nil {
			return 0, err
		}
		if err := fold(echoes, state, last); err != nil {
			return 0, err
		}
	}
	return time.Since(start), nil
}

func assignments(n int) ([]subjects.Message, error) {
	batch := make([]subjects.Message, n)
	for i := range batch {
		message, err := subjects.Encode(subjects.DefaultPool, &subjects.Assigned{
			Host: "host-1", Job: "job-1", TaskID: subjects.TaskID{Task: uint32(i)}, Term: 1, Try: 1, Width: 1,
			Why: subjects.Why{Rule: subjects.RuleSuits, Residual: 0.42, Norm: 1.7, Expected: 12.5, Slack: 33},
		})
		if err != nil {
			return nil, err
		}
		batch[i] = message
	}
	return batch, nil
}

func fold(echoes <-chan actors.Delivery, state *ledger.State, last uint64) error {
	for d := range echoes {
		event, err := subjects.Decode(subjects.DefaultPool, d.Subject, d.Body)
		if err != nil && !d.Skippable(err) {
			return err
		}
		if err == nil {
			state.Apply(d.Seq, d.Time, event)
		}
		if d.Seq >= last {
			return nil
		}
	}
	return fmt.Errorf("the log ended before entry %d", last)
}
