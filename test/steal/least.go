package steal

import (
	"context"
	"time"
)

const (
	// tries bounds how often Least measures.
	tries = 8
	// patience bounds the wait for a calm second between two measurements.
	patience = 20 * time.Second
)

// Least measures until no more than Most of the CPU was stolen meanwhile, eight times at most. It
// returns the result with the smallest share stolen, and that share.
func Least[T any](ctx context.Context, measure func() (T, error)) (found T, taken float64, err error) {
	return least(ctx, meter{Read, calm}, measure)
}

// meter reads how much is stolen, and waits until little is.
type meter struct {
	read func() (Ticks, error)
	calm func(context.Context)
}

func least[T any](ctx context.Context, m meter, measure func() (T, error)) (found T, taken float64, err error) {
	for n := range tries {
		if n > 0 {
			m.calm(ctx)
		}
		before, err := m.read()
		if err != nil {
			return found, taken, err
		}
		value, err := measure()
		if err != nil {
			return found, taken, err
		}
		after, err := m.read()
		if err != nil {
			return found, taken, err
		}
		if share := after.Since(before); n == 0 || share < taken {
			found, taken = value, share
		}
		if taken <= Most || ctx.Err() != nil {
			break
		}
	}
	return found, taken, ctx.Err()
}

// calm waits for a second in which little is stolen.
func calm(ctx context.Context) {
	end := time.Now().Add(patience)
	for time.Now().Before(end) {
		before, err := Read()
		if err != nil {
			return
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return
		}
		if after, err := Read(); err != nil || after.Since(before) <= Most {
			return
		}
	}
}
