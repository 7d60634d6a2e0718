// Package parallel runs the parts of an experiment on all cores.
package parallel

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// Each computes n results over all cores. They come in order, whichever was
// done first.
func Each[T any](ctx context.Context, n int, do func(ctx context.Context, i int) (T, error)) ([]T, error) {
	results := make([]T, n)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() (err error) {
			if err = ctx.Err(); err == nil {
				results[i], err = do(ctx, i)
			}
			return err
		})
	}
	return results, group.Wait()
}
