package pipeline

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"lull/subjects"
	"lull/subjects/ledger"
)

// A host disappears while a job runs, and never comes back. Its task runs elsewhere, its outputs are made again, and
// after --forget-host it holds no attempt and is listed no more.
func TestAHostNeverReturns(t *testing.T) {
	t.Parallel()
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
	gone.kill()
	f.agent("stays")
	finished(t, c, job)
	reaches(t, c, "the host to be given up", func(s *ledger.State) bool {
		h := s.Host(f.host("gone"))
		return h == nil || h.Lost && len(h.Attempts()) == 0
	})
	f.eventually("the host to be listed no more", func() bool {
		hosts, err := c.Hosts(t.Context())
		return err == nil && len(hosts) == 1 && hosts[0].Host == f.host("stays")
	})
	f.agent("gone") // it ends tasks that ran on without it, which the pool has given up
	reaches(t, c, "the host to be back", func(s *ledger.State) bool {
		h := s.Host(f.host("gone"))
		return h != nil && h.Open() && len(h.Attempts()) == 0
	})
}

// The log loses the document of a job that still runs, as a log with a small bound does. A host that
// has not read it yet asks the slotter, and runs the job's tasks.
func TestALiveJobsDocumentIsTrimmed(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	f.service("admission", "admission")
	f.service("slotter", "slotter")
	c := f.client()
	folder := t.TempDir()
	f.agent("first", "--labels", "side=first")
	f.agent("second", "--labels", "side=second")
	f.hosts(c, 2)
	job := submit(t, c, folder, `
name: long
stages:
  - {name: wait, tasks: 1, dir: ., where: {side: first}, command: 'touch runs; while [ ! -e open ]; do sleep 0.02; done'}
  - {name: then, after: wait, tasks: 2, dir: ., where: {side: second}, command: 'touch done-$LULL_TASK'}
`)
	f.eventually("its first task to run", func() bool { return exists(folder, "runs") })
	conn, err := nats.Connect(f.url, nats.Token("secret"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := conn.JetStream()
	if err != nil {
		t.Fatal(err)
	}
	stream := subjects.DefaultPool.Log()
	info, err := js.StreamInfo(stream)
	if err != nil {
		t.Fatal(err)
	}
	if err := js.PurgeStream(stream, &nats.StreamPurgeRequest{Sequence: info.State.LastSeq}); err != nil {
		t.Fatal(err)
	}
	if _, err := js.GetLastMsg(stream, strings.Replace(subjects.DefaultPool.OfJob(job), ">", "submitted", 1)); err == nil || !strings.Contains(err.Error(), "not found") {
		t.Fatalf("GetLastMsg(the job's document) after the purge = %v, want not found", err)
	}
	write(t, filepath.Join(folder, "open"), "")
	// A client that begins now could not fold the log: no service has saved a snapshot yet.
	f.eventually("the other host to run the rest", func() bool { return exists(folder, "done-0") && exists(folder, "done-1") })
}
