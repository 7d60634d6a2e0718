package trace

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// point is a sample of the long form.
type point struct {
	at      float64 // seconds
	percent float32
}

// track is a series of the long form.
type track struct {
	id      string
	machine Machine
	points  []point
}

// readLong reads a row a sample. Samples may come in any order, so they are held
// until the step between them is known.
func (u *usage) readLong() error {
	at, value := u.column("t_seconds"), u.column("cpu_pct")
	if at < 0 || value < 0 {
		return fileError(u.file, u.line, 0, "the long form needs the columns %s", longHeader)
	}
	for i, h := range u.header {
		if i != u.id && i != u.cores && i != u.memory && i != at && i != value {
			return fileError(u.file, u.line, u.starts[i], "the column %q is unknown: write %s, and cores and memory_mb if you like", brief(h), longHeader)
		}
	}
	l := &longReader{usage: u, time: at, value: value, gaps: map[float64]int{}}
	if err := u.each(l.row); err != nil {
		return err
	}
	return l.finish()
}

type longReader struct {
	*usage
	time, value int // columns
	tracks      []*track
	index       map[string]*track
	gaps        map[float64]int // how often samples of one series lie so far apart
	first, last float64
	any         bool
}

func (l *longReader) row() (*Fault, error) {
	id := l.text(l.id)
	if id == "" {
		return l.fault(l.id, "the series has no name: give it one"), nil
	}
	at, fault := l.number(l.time, 0, maxSeconds)
	if fault != nil || !l.inWindow(at) {
		return fault, nil
	}
	t, fault, err := l.track(id)
	if t == nil {
		return fault, err
	}
	percent, fault := l.percent(l.value)
	if fault != nil {
		return fault, nil
	}
	return nil, l.put(t, point{at, percent})
}

// track returns the series of the row's id. It returns nil if Take series are being read already and this
// is another one.
func (l *longReader) track(id string) (*track, *Fault, error) {
	if t := l.index[id]; t != nil {
		return t, nil, nil
	}
	if l.o.Take > 0 && len(l.tracks) == l.o.Take {
		return nil, nil, nil
	}
	if len(l.tracks) == maxHosts {
		return nil, nil, fileError(l.file, l.line, 0, "there are more than %d series: read fewer (--take)", maxHosts)
	}
	m, fault := l.machine(id)
	if fault != nil {
		return nil, fault, nil
	}
	if l.index == nil {
		l.index = map[string]*track{}
	}
	t := &track{id: id, machine: m}
	l.tracks, l.index[id], l.at[id] = append(l.tracks, t), t, l.line
	return t, nil, nil
}

func (l *longReader) put(t *track, p point) error {
	if !l.any || p.at < l.first {
		l.first = p.at
	}
	l.last, l.any = max(l.last, p.at), true
	t.points = append(t.points, p)
	return l.hold(1)
}

// maxGaps bounds how many different distances are counted. In a usable file one of them is by far the
// most frequent.
const maxGaps = 10_000

// order sorts a series by time, of equal times the later line last, and counts
// how far its samples lie apart.
func (l *longReader) order(t *track) {
	slices.SortStableFunc(t.points, func(a, b point) int { return cmp.Compare(a.at, b.at) })
	for i := 1; i < len(t.points); i++ {
		gap := t.points[i].at - t.points[i-1].at
		if gap > 0 && (l.gaps[gap] > 0 || len(l.gaps) < maxGaps) {
			l.gaps[gap]++
		}
	}
}

// step returns the most frequent distance of samples, and of equally frequent ones the shortest.
func (l *longReader) step() float64 {
	step, most := 300.0, 0
	for gap, n := range l.gaps {
		if n > most || n == most && gap < step {
			step, most = gap, n
		}
	}
	return step
}

// finish puts the samples on the grid. Of two in one step the later one
// stands: clocks that are set back repeat an hour.
func (l *longReader) finish() error {
	if !l.any {
		return l.verdictOr("no sample lies in the window %s: choose another --from and --until", l.o.window())
	}
	for _, t := range l.tracks {
		l.order(t)
	}
	step := l.step()
	n := math.Round((l.last-l.first)/step) + 1
	every := seconds(step)
	if n > maxGrid || every <= 0 {
		return fileError(l.file, 0, 0, "samples %s s apart over %s s are too many: read a window (--from, --until)", plain(step), plain(l.last-l.first))
	}
	l.pool.Begin, l.pool.Every, l.pool.Span = seconds(l.first), every, every*time.Duration(n)
	for _, t := range l.tracks {
		if err := l.series(t, step, n); err != nil {
			return err
		}
		t.points = nil
	}
	return nil
}

// series makes a host of a track, unless the track lacks so many samples that it is not worth the memory
// of a whole grid.
func (l *longReader) series(t *track, step, n float64) error {
	if share := 1 - float64(len(t.points))/n; share > l.o.MaxMissing {
		l.faults.add(l.lacks(t.id, share))
		return nil
	}
	if err := l.hold(int(n) - len(t.points)); err != nil {
		return err
	}
	if fault := l.add(t.id, t.machine, l.spread(t, step, int(n))); fault != nil {
		l.faults.add(fault)
	}
	return nil
}

func (l *longReader) spread(t *track, step float64, n int) []float32 {
	percent := make([]float32, n)
	for i := range percent {
		percent[i] = missing
	}
	for _, p := range t.points {
		if !math.IsNaN(float64(p.percent)) {
			percent[int(math.Round((p.at-l.first)/step))] = p.percent
		}
	}
	return percent
}

// verdictOr returns the error of the bad rows, if they are why nothing is left.
func (l *longReader) verdictOr(format string, args ...any) error {
	if err := l.verdict(l.file, l.o.SkipBad); err != nil {
		return err
	}
	return fileError(l.file, 0, 0, format, args...)
}
