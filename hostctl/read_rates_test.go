package hostctl

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

// rangeOf is a whole file, unpinned in time.
func rangeOf(path string, size int) spec.Range {
	return spec.Range{Path: path, Size: int64(size), Length: int64(size)}
}

// A run reports what it read and wrote, however short it is. If it takes most of a second
// on a busy machine, it may report a rate that was measured instead of the mean.
func TestARunTellsWhatItReadAndWrote(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("a"))
	text := strings.Repeat("a line\n", 1000)
	path := write(t, filepath.Join(t.TempDir(), "in"), text)
	w.Submit("j", spec.Stage{Argv: sh(`cat >"$LULL_OUT"/copy`), Splits: []spec.Split{{Ranges: []spec.Range{rangeOf(path, len(text))}}}})
	h.assign("j", 0, 0, 0)
	e, _ := next[*subjects.Finished](w, nil)
	mean := 7000 / e.Seconds
	if e.In != 7000 || e.Out != 7000 || e.Read <= 0 || e.Seconds < 0.5 && math.Abs(e.Read-mean) > 1 {
		t.Errorf("in %d, out %d bytes, %v bytes/s in %v s, want 7000, 7000 and %v if it is brief", e.In, e.Out, e.Read, e.Seconds, mean)
	}
}

// The agent measures a task's reading while it runs: here 20 MB each time the test sees a
// measurement, of files that are not its input.
func TestReadingIsMeasuredWhileATaskRuns(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("a"))
	if len(h.slots.All()[0].Group.Joins()) == 0 && h.slots.All()[0].Group.Unified() == "" {
		t.Skip("needs cgroups: without them the mean is all there is")
	}
	dir := t.TempDir()
	w.Submit("j", spec.Stage{Argv: sh(`while ! test -e "` + dir + `/enough"; do head -c 20000000 /dev/zero >/dev/null; sleep 0.2; done`)})
	h.assign("j", 0, 0, 0)
	next[*subjects.Started](w, nil)
	eventually(t, "two seconds of reading are measured", func() bool {
		meters := h.attempts.Meters()
		return len(meters) == 1 && meters[0].Sustained() > 1e6
	})
	write(t, filepath.Join(dir, "enough"), "")
	if e, _ := next[*subjects.Finished](w, nil); e.Read < 1e6 || e.In != 0 {
		t.Errorf("in %d bytes, %v bytes/s, want 0, at least 1e6", e.In, e.Read)
	}
}
