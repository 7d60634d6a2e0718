package pipeline

import (
	"testing"

	"lull/subjects/ledger"
)

// A host goes midway and never comes back. Its task runs elsewhere, its outputs are made again, and
// after --forget-host it holds no attempt and is listed no more.
func TestAHostNeverReturns(t *testing.T) {
	f := newFleet(t)
	f.service("admission", "admission")
	f.service("slotter", "slotter", "--silence", "3s", "--forget-host", "6s")
	c := f.client()
	folder := t.TempDir()
	gone := f.agent("gone", "--labels", "side=gone")
	f.hosts(c, 1)
	job := submit(t, c, folder, `
name: left
stages:
  - {name: make, tasks: 1, dir: ., command: 'echo $LULL_ATTEMPT > $LULL_OUT/x'}
  - {name: use, from: {stage: make, by: all}, tasks: 1, dir: ., command: 'd=$PWD/first; if mkdir $d 2>/dev/null; then while [ -e $d ]; do sleep 0.1; done; fi; cat > $LULL_OUT/y'}
`)
	f.eventually("the second task to run", func() bool { return exists(folder, "first") })
	gone.want = -1
	_ = gone.Process.Kill()
	<-gone.done
	f.agent("stays")
	finished(t, c, job)
	f.until(c, "the host to be given up", func(s *ledger.State) bool {
		h := s.Host(f.host("gone"))
		return h == nil || h.Lost && len(h.Attempts()) == 0
	})
	f.eventually("the host to be listed no more", func() bool {
		hosts, err := c.Hosts(t.Context())
		return err == nil && len(hosts) == 1 && hosts[0].Host == f.host("stays")
	})
	f.agent("gone") // it ends what ran on without it, which is not this pool's any more
	f.until(c, "the host to be back", func(s *ledger.State) bool {
		h := s.Host(f.host("gone"))
		return h != nil && h.Open() && len(h.Attempts()) == 0
	})
}
