package trace

import (
	"errors"
	"math"
	"strconv"
	"time"
)

// errEnough ends the reading after HostOptions.Take series.
var errEnough = errors.New("enough")

// readWide reads a file of the wide form: each row is a series, and each column the time of a sample.
func (u *usage) readWide() error {
	g, err := u.grid()
	if err != nil {
		return err
	}
	err = u.each(func() (*Fault, error) {
		if u.o.Take > 0 && len(u.pool.Hosts) == u.o.Take {
			return nil, errEnough
		}
		return u.series(g)
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// grid maps the columns of the file to the samples of a series, which lie at equal steps.
type grid struct {
	cells []int // by column: index of its sample, -1 for none
	n     int   // number of samples
}

// grid finds the times of the columns in the window, and the shortest step between any two columns.
func (u *usage) grid() (*grid, error) {
	times, err := u.times()
	if err != nil {
		return nil, err
	}
	first, last, step := math.NaN(), 0.0, math.Inf(1)
	before := math.NaN()
	for _, at := range times {
		if !math.IsNaN(at) && !math.IsNaN(before) {
			step = min(step, at-before)
		}
		if !math.IsNaN(at) {
			before = at
		}
		if u.inWindow(at) {
			if math.IsNaN(first) {
				first = at
			}
			last = at
		}
	}
	if math.IsNaN(first) {
		return nil, fileError(u.file, u.line, 0, "no sample lies in the window %s: choose another --from and --until", u.o.window())
	}
	if math.IsInf(step, 1) {
		step = 300 // with one sample any step will do
	}
	return u.lay(times, first, last, step)
}

// times returns the columns' headers as times in seconds, NaN for columns that are no samples.
func (u *usage) times() ([]float64, error) {
	times := make([]float64, len(u.header))
	before, n := math.Inf(-1), 0
	for i, h := range u.header {
		times[i] = math.NaN()
		if i == u.id || i == u.cores || i == u.memory {
			continue
		}
		at, err := strconv.ParseFloat(h, 64)
		if err != nil || !(at >= 0 && at <= maxSeconds) {
			return nil, fileError(u.file, u.line, u.starts[i], "%q is no time in seconds: write series_id, cores, memory_mb or the time of a sample (%s)", brief(h), wideHeader)
		}
		if at <= before {
			return nil, fileError(u.file, u.line, u.starts[i], "%s comes after %s: times must rise", plain(at), plain(before))
		}
		times[i], before = at, at
		n++
	}
	if n == 0 {
		return nil, fileError(u.file, u.line, 0, "no column is a sample: write %s", wideHeader)
	}
	return times, nil
}

func (u *usage) inWindow(at float64) bool {
	return at >= u.o.From.Seconds() && (u.o.Until == 0 || at < u.o.Until.Seconds())
}

// window describes the window in words.
func (o *HostOptions) window() string {
	if o.Until == 0 {
		return "from " + plain(o.From.Seconds()) + " s on"
	}
	return "from " + plain(o.From.Seconds()) + " s to " + plain(o.Until.Seconds()) + " s"
}

// lay maps the columns to a grid of equal steps from first to last. A step without
// a column is a missing sample.
func (u *usage) lay(times []float64, first, last, step float64) (*grid, error) {
	n := math.Round((last-first)/step) + 1
	if n > maxGrid {
		return nil, fileError(u.file, u.line, 0, "samples %s s apart over %s s are too many: read a window (--from, --until)", plain(step), plain(last-first))
	}
	u.pool.Begin, u.pool.Every = seconds(first), seconds(step)
	if u.pool.Every <= 0 {
		return nil, fileError(u.file, u.line, 0, "samples lie %s s apart: write times in seconds", plain(step))
	}
	u.pool.Span = u.pool.Every * time.Duration(n)
	g, there := &grid{make([]int, len(times)), int(n)}, 0.0
	for i, at := range times {
		if g.cells[i] = -1; u.inWindow(at) {
			g.cells[i] = int(math.Round((at - first) / step))
			there++
		}
	}
	// A few columns may span a large grid. Without this check, each series would
	// take the memory of that grid, and then be refused for its missing samples.
	if share := 1 - there/n; share > u.o.MaxMissing {
		return nil, fileError(u.file, u.line, 0, "samples every %s s from %s s to %s s would be %.0f, and the file has %.0f: times must be equally far apart", plain(step), plain(first), plain(last), n, there)
	}
	return g, nil
}

// series reads the current row, and adds its host to the pool.
func (u *usage) series(g *grid) (*Fault, error) {
	id := u.text(u.id)
	if id == "" {
		return u.fault(u.id, "the series has no name: give it one"), nil
	}
	if u.at[id] > 0 {
		return u.fault(u.id, "series %q stands in line %d already: keep one", brief(id), u.at[id]), nil
	}
	if len(u.at) == maxHosts {
		return nil, fileError(u.file, u.line, 0, "there are more than %d series: read fewer (--take)", maxHosts)
	}
	if err := u.hold(g.n); err != nil {
		return nil, err
	}
	m, fault := u.machine(id)
	if fault != nil {
		return fault, nil
	}
	percent := make([]float32, g.n)
	for i := range percent {
		percent[i] = missing
	}
	for i, cell := range g.cells {
		if cell < 0 {
			continue
		}
		if percent[cell], fault = u.percent(i); fault != nil {
			return fault, nil
		}
	}
	u.at[id] = u.line
	return u.add(id, m, percent), nil
}
