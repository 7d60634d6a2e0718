package upgrade

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lull/test/poll"
)

// recorder runs the script of a fixture.
type recorder struct {
	*Pool
	binary string
	ids    map[string]string // of jobs, by name
	f      Fixture
	err    error // the first error, after which all methods do nothing
}

// Record runs a pool of a binary in an empty folder: jobs of all kinds, operators' commands,
// hosts that leave and hosts that are lost. It restarts the services three times, each of which
// leaves snapshots.
func Record(dir, binary string) (*Fixture, error) {
	pool, err := NewPool(dir)
	if err != nil {
		return nil, err
	}
	r := &recorder{Pool: pool, binary: binary, ids: map[string]string{}}
	ctx, stop := context.WithCancel(context.Background())
	idle := make(chan struct{})
	go func() { r.idle(ctx); close(idle) }()
	r.run()
	stop()
	<-idle
	return &r.f, errors.Join(r.err, pool.Close())
}

func (r *recorder) run() {
	r.start("server-1")
	r.services()
	r.agent("a", "--labels", "side=left")
	r.agent("b", "--labels", "side=right")
	r.jobs()
	r.snapshots()
	r.operators()
	r.snapshots()
	r.hosts()
	r.snapshots()
	r.rest()
	r.summary()
}

func (r *recorder) services() { r.start("admission-1"); r.start("slotter-1") }

func (r *recorder) agent(name string, more ...string) {
	r.start("agent-"+name, append([]string{"--stay=false"}, more...)...)
	r.await("host "+name, func() bool { return r.states("hosts", "host")[r.Host+"-"+name] == "up" })
}

func (r *recorder) start(name string, more ...string) {
	if r.err == nil {
		r.err = r.Start(name, r.binary, more...)
	}
}

func (r *recorder) lull(args ...string) string {
	if r.err != nil {
		return ""
	}
	out, err := r.Lull(r.binary, args...)
	r.err = err
	return out
}

// submit submits a job under a name, which becomes the document's first line.
func (r *recorder) submit(name, doc string) {
	path := filepath.Join(r.Dir, name+".yaml")
	r.err = cmp.Or(r.err, os.WriteFile(path, []byte("name: "+name+"\n"+doc), 0o600))
	if r.err != nil {
		return
	}
	out, err := r.Lull(r.binary, "submit", path)
	if r.ids[name] = out; out == "" {
		r.err = err
	}
}

// ends waits until a job is in a state.
func (r *recorder) ends(name, state string) {
	r.await(name+" "+state, func() bool { return r.states("jobs", "id")[r.ids[name]] == state })
}

// runs waits until a number of a job's tasks run.
func (r *recorder) runs(name string, tasks int) {
	r.await(name+" to run", func() bool {
		return strings.Contains(r.lull("job", r.ids[name], "--output", "json"), fmt.Sprintf(`"running": %d`, tasks))
	})
}

func (r *recorder) await(what string, cond func() bool) {
	if !poll.Until(patience, 100*time.Millisecond, func() bool { return r.err != nil || cond() }) {
		said, _ := r.Lull(r.binary, "jobs")
		r.err = fmt.Errorf("waited %v for %s:\n%s", patience, what, said)
	}
}

// states returns the state column of a listing, by the field that names a row.
func (r *recorder) states(listing, by string) map[string]string {
	out, err := r.Lull(r.binary, listing, "--output", "json")
	if err != nil {
		return nil // the pool is not there yet
	}
	var rows []map[string]any
	if err := json.Unmarshal([]byte(out), &rows); err != nil {
		return nil
	}
	states := make(map[string]string, len(rows))
	for _, row := range rows {
		states[fmt.Sprint(row[by])] = fmt.Sprint(row["state"])
	}
	return states
}

func (r *recorder) summary() {
	if r.err == nil {
		r.f.Jobs, r.f.Hosts = r.states("jobs", "id"), r.states("hosts", "host")
		r.err = errors.Join(r.log(context.Background()), r.ownSnapshots())
	}
}

// ownSnapshots adds the snapshots that hosts saved in folders of their own, each preceded by
// its SHA-256.
func (r *recorder) ownSnapshots() error {
	paths, err := filepath.Glob(filepath.Join(r.Dir, "agent-*", "agent", "*", "snapshots", "*"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		body, err := os.ReadFile(path)
		if err != nil || len(body) < sha256.Size {
			return fmt.Errorf("snapshot %s of %d bytes: %w", path, len(body), err)
		}
		r.f.Snapshots = append(r.f.Snapshots, Snapshot{Name: filepath.Base(path), Body: body[sha256.Size:]})
	}
	return nil
}

// snapshots stops the services, each of which saves a snapshot then, adds these to the fixture, and starts
// the services again.
func (r *recorder) snapshots() {
	for _, name := range []string{"slotter-1", "admission-1"} {
		if r.err == nil {
			r.err = r.Stop(name)
		}
	}
	if r.err == nil {
		r.err = r.objects(context.Background())
	}
	r.services()
}

func indent(lines ...string) string { return strings.Join(lines, "\n") + "\n" }
