package classify

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"time"

	"lull/classifier/classes"
	"lull/classifier/generation"
	"lull/classifier/learn"
	"lull/classifier/series"
	"lull/subjects/profile"
	"lull/test/bench/pure/cputime"
	"lull/test/report"
)

// speedDays is what the compact form of a tenant holds, of which a window is classified.
const speedDays = 31

// speed measures a generation of all tenants: decoding, learning and clustering.
func speed(ctx context.Context, quick bool, r *report.Report) error {
	tenants := 1000
	if quick {
		tenants = 50
	}
	blobs, samples, bytes := make([][]byte, tenants), 0, 0
	for i := range blobs {
		blobs[i] = packTenant(i)
		samples += speedDays * int(series.Day/series.Step)
		bytes += len(blobs[i])
	}
	runtime.GC()
	before := cputime.Used()
	learnt, size, err := learnAll(ctx, blobs)
	if err != nil {
		return err
	}
	took := cputime.Used() - before
	row := report.Row{
		{Key: "tenants", Value: tenants}, {Key: "days", Value: speedDays}, {Key: "bytes_a_sample", Value: float64(bytes) / float64(samples)},
		{Key: "cpu_s", Value: took.Seconds()}, {Key: "ms_a_tenant", Value: took.Seconds() * 1000 / float64(tenants)},
		{Key: "profile_bytes", Value: float64(size) / float64(tenants)},
	}
	r.Rows = append(r.Rows, append(row, learnt...))
	if !quick {
		r.Checks = append(r.Checks,
			report.AtMost("CPU s to classify 1,000 tenants of 31 days, decoding included", took.Seconds(), 1.5).WithPaper(120))
	}
	return nil
}

// learnAll is what a classifier does with all histories.
func learnAll(ctx context.Context, blobs [][]byte) (report.Row, int, error) {
	begin := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	samples := speedDays * int(series.Day/series.Step)
	average, err := series.NewAverage(begin, series.Step, samples)
	if err != nil {
		return nil, 0, err
	}
	builder := generation.New(learn.Options{})
	for i, blob := range blobs {
		average.Reset(begin)
		if err := unpackTenant(blob, begin, average); err != nil {
			return nil, 0, err
		}
		s := average.Series()
		start, until := series.Window(s.Start, s.End())
		builder.Add(fmt.Sprintf("tenant-%d", i), s.Between(start, until), nil)
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
	}
	made, _ := builder.Finish(classes.State{}, 1)
	patterns, size := [3]int{}, 0
	for i := range made.Tenants {
		patterns[made.Tenants[i].Profile.Pattern]++
		size += made.Tenants[i].Profile.Size()
	}
	return report.Row{
		{Key: "constant", Value: patterns[profile.Constant]}, {Key: "periodic", Value: patterns[profile.Periodic]},
		{Key: "unpredictable", Value: patterns[profile.Unpredictable]}, {Key: "classes", Value: len(made.Classes)},
	}, size, nil
}

// packTenant is a made-up tenant's month in a compact form: the differences between mean and peak
// of one sample and the next in thousandths, in as many bytes as they need. A third of the tenants
// each is constant, periodic and unpredictable.
func packTenant(i int) []byte {
	rng := rand.New(rand.NewPCG(uint64(i), 7))
	perDay := int(series.Day / series.Step)
	level, swing, burst := 0.05+0.3*rng.Float64(), 0.0, 0.0
	var blob []byte
	var lastMean, lastPeak int64
	for at := range speedDays * perDay {
		switch i % 3 {
		case 1:
			swing = 0.3 * (1 - math.Cos(2*math.Pi*float64(at%perDay)/float64(perDay))) / 2
		case 2:
			burst *= 0.999
			if rng.IntN(2000) == 0 {
				burst = rng.Float64()
			}
		}
		mean := min(max(level+swing+burst+0.01*rng.NormFloat64(), 0), 1)
		peak := min(mean*(1+0.5*rng.Float64()), 1)
		m, p := int64(1000*mean), int64(1000*peak)
		blob = binary.AppendVarint(blob, m-lastMean)
		blob = binary.AppendVarint(blob, p-lastPeak)
		lastMean, lastPeak = m, p
	}
	return blob
}

func unpackTenant(blob []byte, at time.Time, into *series.Average) error {
	var mean, peak int64
	for len(blob) > 0 {
		m, n := binary.Varint(blob)
		p, k := binary.Varint(blob[max(n, 0):])
		if n <= 0 || k <= 0 {
			return fmt.Errorf("a packed month is cut off at %v", at)
		}
		blob, mean, peak = blob[n+k:], mean+m, peak+p
		into.Add(at, series.Step, float32(mean)/1000, float32(peak)/1000)
		at = at.Add(series.Step)
	}
	return nil
}
