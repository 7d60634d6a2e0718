package service

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	upstream "github.com/nats-io/nats.go/jetstream"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/actors/jetstream/embedded"
	"lull/actors/jetstream/embedded/embeddedtest/bustest"
	"lull/actors/shell"
	"lull/slotter"
	"lull/subjects"
	"lull/subjects/spec"
)

// listPool is a slotter that leads in a pool of its own.
type listPool struct {
	t     *testing.T
	bus   *jetstream.Bus
	shell *shell.Shell
}

func newListPool(t *testing.T) *listPool {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	p := &listPool{t: t, bus: bustest.Start(t, embedded.Config{}, subjects.DefaultPool)}
	actor, err := slotter.New(slotter.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if p.shell, err = shell.New(shell.Config{Role: slotter.Role(p.bus.Pool()), Actor: actor, Bus: p.bus}); err != nil {
		t.Fatal(err)
	}
	go p.shell.Run(ctx) //nolint:errcheck // it ends with the test
	t.Cleanup(func() {
		stop()
		<-p.shell.Done()
	})
	return p
}

// room bounds the stream of task lists.
func (p *listPool) room(bytes int64) {
	p.t.Helper()
	js, err := upstream.New(p.bus.Conn())
	if err != nil {
		p.t.Fatal(err)
	}
	stream, err := js.Stream(p.t.Context(), p.bus.Pool().Lists())
	if err != nil {
		p.t.Fatal(err)
	}
	config := stream.CachedInfo().Config
	config.MaxBytes = bytes
	if _, err := js.UpdateStream(p.t.Context(), config); err != nil {
		p.t.Fatal(err)
	}
}

// put stores a list of one chunk: two pieces.
func (p *listPool) put(text byte) (list string) {
	p.t.Helper()
	chunk, err := p.bus.PutBlob(p.t.Context(), bytes.Repeat([]byte{text}, 300<<10))
	if err == nil {
		var index []byte
		index, _ = hex.DecodeString(chunk)
		list, err = p.bus.PutBlob(p.t.Context(), index)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return list
}

// say appends events and waits until the slotter has folded them.
func (p *listPool) say(events ...subjects.Event) {
	p.t.Helper()
	var batch []subjects.Message
	for _, e := range events {
		m, err := subjects.Encode(p.bus.Pool(), e)
		if err != nil {
			p.t.Fatal(err)
		}
		batch = append(batch, m)
	}
	last, err := p.bus.Append(p.t.Context(), batch, actors.Fence{})
	if err != nil {
		p.t.Fatal(err)
	}
	for folded := uint64(0); folded < last; {
		if err := p.shell.Inspect(p.t.Context(), func(a actors.Actor) { folded = stateOf(a).Seq }); err != nil {
			p.t.Fatal(err)
		}
	}
}

// A list stays while a job names it that runs or that may be opened again, and while a message
// waits in the inbox that may name it.
func TestListsOfJobsAreKept(t *testing.T) {
	p := newListPool(t)
	p.room(1700 << 10)
	job := func(id, list string) *subjects.Submitted {
		return &subjects.Submitted{Job: id, Spec: spec.Job{Name: id, Type: "t", Stages: []spec.Stage{{
			Name: "a", Argv: []string{"true"}, Tasks: 2, CPU: 1, Memory: 1 << 20, List: spec.SummedList(list),
		}}}}
	}
	sends := func(id, files string) *subjects.Submitted { // files sent along are kept as lists are
		e := job(id, "")
		e.Spec.Stages[0].List, e.Spec.Stages[0].Sent = "", []spec.Sent{{Content: spec.SummedList(files)}}
		return e
	}
	lists := p.bus.NewListSweeper()
	runs, failed, gone, files, goneFiles := p.put('r'), p.put('f'), p.put('g'), p.put('s'), p.put('h')
	p.say(p.led(lists), job("runs", runs), &subjects.Admitted{Job: "runs"}, sends("sends", files), &subjects.Admitted{Job: "sends"},
		job("failed", failed), &subjects.Admitted{Job: "failed"}, &subjects.JobFailed{Job: "failed"},
		job("refused", gone), &subjects.Rejected{Job: "refused"}, sends("refused-too", goneFiles), &subjects.Rejected{Job: "refused-too"})
	sweep := func() int {
		t.Helper()
		n, err := sweepLists(t.Context(), lists, p.shell, tomorrow())
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := sweep(); n != 4 {
		t.Errorf("pieces dropped = %d, want 4, those of the jobs that were refused", n)
	}
	for name, list := range map[string]string{"runs": runs, "failed": failed, "sends files": files} {
		if _, err := p.bus.ReadBlob(t.Context(), list, 0, 1); err != nil {
			t.Errorf("ReadBlob(list of the job that %s) = %v, want no error", name, err)
		}
	}
	if n, err := sweepLists(t.Context(), lists, p.shell, time.Now()); n != 0 || err != nil {
		t.Errorf("pieces of today dropped = %d, %v, want 0", n, err)
	}
	p.room(1 << 30)
	p.put('n')
	if n := sweep(); n != 0 {
		t.Errorf("pieces dropped while there is room = %d, want 0", n)
	}
}

// What waits in the inbox may name lists that were put before it.
func TestListsOfWaitingSubmissionsAreKept(t *testing.T) {
	p := newListPool(t)
	p.room(1 << 20)
	for i := range 3 {
		p.put(byte(i))
	}
	if err := p.bus.Conn().PublishMsg(&nats.Msg{Subject: p.bus.Pool().Submit(), Data: fmt.Append(nil, "names any of them")}); err != nil {
		t.Fatal(err)
	}
	if err := p.bus.Conn().Flush(); err != nil {
		t.Fatal(err)
	}
	lists := p.bus.NewListSweeper()
	p.say(p.led(lists))
	if n, err := sweepLists(t.Context(), lists, p.shell, tomorrow()); n != 0 || err != nil {
		t.Errorf("pieces dropped while a message waits that may name them = %d, %v, want 0", n, err)
	}
	p.say(&subjects.Rejected{Job: "r", Inbox: 1})
	if n, err := sweepLists(t.Context(), lists, p.shell, tomorrow()); n != 6 || err != nil {
		t.Errorf("pieces dropped when no message waits = %d, %v, want 6", n, err)
	}
}

// tomorrow is when what is put now is old enough.
func tomorrow() time.Time { return time.Now().Add(listAge + time.Hour) }

// led says which inbox admission reads.
func (p *listPool) led(lists *jetstream.ListSweeper) *subjects.Led {
	p.t.Helper()
	_, made, err := lists.OldestRequest(p.t.Context(), 1)
	if err != nil {
		p.t.Fatal(err)
	}
	return &subjects.Led{Actor: "admission", Partition: "all", Inbox: made}
}
