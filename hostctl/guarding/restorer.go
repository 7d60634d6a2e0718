package guarding

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"lull/hostctl/cgroup"
)

const (
	restoreEvery = time.Second - lookBoth // each turn of a guard that looks once a second
	// tellEvery is the time between two lines of the log about one file: another program may write to it
	// each second.
	tellEvery = time.Minute
)

// Settings are those of cgroups, as a *cgroup.Settings has them.
type Settings interface {
	// Restore puts back what other programs have changed.
	Restore() []cgroup.Foreign
	Close()
}

var _ Settings = (*cgroup.Settings)(nil)

// restorer puts back what other programs write to lull's cgroups, counts it, and tells of it.
type restorer struct {
	settings Settings
	log      *slog.Logger
	count    prometheus.Counter
	record   string // the file for `lull doctor`, "" for none

	next    time.Time
	running chan struct{} // holds one token: a limit of memory may take the kernel seconds
	passes  sync.WaitGroup

	mu struct {
		sync.Mutex
		told  map[string]*told // by file
		total int
	}
}

// told is what the log says of a file.
type told struct {
	at     time.Time
	untold int // changes since then
}

func newRestorer(c Config, count prometheus.Counter) (*restorer, error) {
	r := &restorer{settings: c.Settings, log: c.Logger, count: count, record: c.Record, running: make(chan struct{}, 1)}
	r.mu.told = make(map[string]*told)
	if r.record == "" {
		return r, nil
	}
	if err := os.Remove(r.record); err != nil && !errors.Is(err, fs.ErrNotExist) { // of an earlier agent
		return nil, fmt.Errorf("record of foreign writes to cgroups: %w", err)
	}
	return r, nil
}

// start looks once a second, beside the guard's loop.
func (r *restorer) start(now time.Time) {
	if now.Before(r.next) {
		return
	}
	select {
	case r.running <- struct{}{}:
	default:
		return // the last pass has not ended
	}
	r.next = now.Add(restoreEvery)
	r.passes.Go(func() {
		r.note(now, r.settings.Restore()...)
		<-r.running
	})
}

// end waits for the last pass.
func (r *restorer) end() {
	r.passes.Wait()
	r.settings.Close()
}

// note counts what was found, and tells of it.
func (r *restorer) note(now time.Time, found ...cgroup.Foreign) {
	if len(found) == 0 {
		return
	}
	r.count.Add(float64(len(found)))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mu.total += len(found)
	for _, f := range found {
		r.tell(now, f)
	}
	r.save(ForeignWrites{Count: r.mu.total, Last: found[len(found)-1], At: now})
}

// tell writes a line of the log, at most one a minute for a file. r.mu is held.
func (r *restorer) tell(now time.Time, f cgroup.Foreign) {
	t := r.mu.told[f.File]
	if t == nil {
		t = &told{}
		r.mu.told[f.File] = t
	}
	if t.untold++; now.Before(t.at.Add(tellEvery)) {
		return
	}
	if f.Refused != nil {
		r.log.Warn("another program has written to a cgroup of lull's, and the kernel does not take lull's value again; trying on", "file", f.File, "found", f.Found, "error", f.Refused)
	} else {
		r.log.Warn("another program has written to a cgroup of lull's; it is put back", "file", f.File, "found", f.Found, "to", f.Restored, "times", t.untold)
	}
	t.at, t.untold = now, 0
}

// ForeignWrites is what an agent has put back in its cgroups since it started, and the last of that.
type ForeignWrites struct {
	Count int            `json:"count"`
	Last  cgroup.Foreign `json:"last"`
	At    time.Time      `json:"at"`
}

// save writes the record. A disk that is full is told of elsewhere, and the next record replaces this one.
func (r *restorer) save(w ForeignWrites) {
	if r.record == "" {
		return
	}
	body, err := json.Marshal(w)
	if err == nil {
		err = os.WriteFile(r.record+".new", body, 0o600)
	}
	if err == nil {
		err = os.Rename(r.record+".new", r.record)
	}
	if err != nil {
		r.log.Debug("what other programs wrote to cgroups is not recorded", "error", err)
	}
}

// RecordName is the name of the record in an agent's folder.
const RecordName = "foreign-writes"

// ReadForeignWrites reads the record of an agent. There is none (fs.ErrNotExist) if no other program has
// written to its cgroups.
func ReadForeignWrites(path string) (w ForeignWrites, err error) {
	body, err := os.ReadFile(path)
	if err != nil {
		return w, err
	}
	return w, json.Unmarshal(body, &w)
}
