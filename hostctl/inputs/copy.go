package inputs

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"lull/client/fetch"
	"lull/subjects"
	"lull/subjects/turns"
)

// copying is one transfer: a file, or small ones of the same name.
type copying struct {
	from  subjects.OutputHost
	parts []fetch.Part
}

// fetchRemote copies the files that other hosts keep.
func (g *gathering) fetchRemote(ctx context.Context, answer *subjects.OutputsAnswer, each [][]Piece) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(g.cfg.TaskTransfers)
	for _, c := range g.copyings(answer, each) {
		group.Go(func() error { return g.copy(ctx, c) })
	}
	return group.Wait()
}

// copyings lists the transfers, one of each host in turn.
func (g *gathering) copyings(answer *subjects.OutputsAnswer, each [][]Piece) []copying {
	of, small := make([][]copying, len(answer.Hosts)), make([][]fetch.Part, len(answer.Hosts))
	for i, o := range answer.Outputs {
		for _, p := range each[i] {
			part := fetch.Part{Attempt: o.Attempt, File: p.File, To: p.Path}
			switch {
			case p.Local:
			case g.only != "" && p.File.Path == g.only && p.File.Holes == nil && p.File.Size <= turns.SmallPart:
				small[o.Host] = append(small[o.Host], part)
			default:
				of[o.Host] = append(of[o.Host], copying{answer.Hosts[o.Host], []fetch.Part{part}})
			}
		}
	}
	for host, parts := range small {
		for some := range slices.Chunk(parts, turns.PartsPerRequest) {
			of[host] = append(of[host], copying{answer.Hosts[host], some})
		}
	}
	return turns.Interleave(of, g.at.Task.Task)
}

// copy performs a transfer and measures it.
func (g *gathering) copy(ctx context.Context, c copying) error {
	source, bytes := g.meter.begin(c.from.Rack, time.Now()), int64(0)
	err := g.fetch.Parts(ctx, c.from, c.parts)
	if err == nil {
		for i := range c.parts {
			bytes += c.parts[i].File.Stored()
		}
	}
	g.meter.end(source, bytes, time.Now())
	return err
}
