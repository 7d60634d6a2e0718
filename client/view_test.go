package client_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"lull/actors"
	"lull/client"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/section"
)

func submitted(t *testing.T, job string) subjects.Event {
	t.Helper()
	canonical, err := parse(t, hello).Job()
	must(t, err)
	return &subjects.Submitted{Job: job, Spec: canonical, At: time.Now().UnixNano()}
}

func TestViewFoldsToTheEndAndFollows(t *testing.T) {
	r, ctx := newRig(t)
	r.append(t, ctx, submitted(t, "hello-a"), &subjects.Admitted{Job: "hello-a", Mode: "affected"})
	v, err := r.View(ctx)
	must(t, err)
	j := v.State.Job("hello-a")
	if j == nil || j.Phase != ledger.Admitted {
		t.Fatalf("job = %+v, want admitted", j)
	}
	var seen []client.Entry
	v.Each = func(e client.Entry) { seen = append(seen, e) }
	r.append(t, ctx, &subjects.Cancelled{Job: "hello-a", Why: "enough"}, &subjects.Cancelled{Job: "hello-a"})
	must(t, v.Until(ctx, func() bool { return len(seen) == 2 }))
	if j.Phase != ledger.Cancelled || seen[0].Change.Outcome != ledger.Accepted || seen[1].Change.Outcome != ledger.Void {
		t.Errorf("the job is %v after %+v, want cancelled by the first, the second void", j.Phase, seen)
	}
}

func TestViewOfAnEmptyLog(t *testing.T) {
	r, ctx := newRig(t)
	v, err := r.View(ctx)
	must(t, err)
	if n := v.State.Jobs().Len(); n != 0 {
		t.Errorf("jobs = %d, want 0", n)
	}
}

// TestViewReadsOnFromASnapshot trims what the snapshot covers: only through it
// can the view know the job.
func TestViewReadsOnFromASnapshot(t *testing.T) {
	r, ctx := newRig(t)
	r.append(t, ctx, submitted(t, "hello-a"), &subjects.Admitted{Job: "hello-a", Mode: "affected"})
	v, err := r.View(ctx)
	must(t, err)
	packed, err := v.State.PackWith(section.Kind{Name: "own"}, &struct{}{})
	must(t, err)
	info, err := r.bus.Log(ctx)
	must(t, err)
	must(t, r.bus.Save(ctx, "slotter.all", actors.Snapshot{Created: info.Created, Seq: 2, State: packed}))
	must(t, r.bus.Save(ctx, "host.a", actors.Snapshot{Created: info.Created, Seq: 2, State: []byte("no ledger")}))
	must(t, r.bus.Trim(ctx, 3))
	for _, more := range []int{0, 1} {
		if more == 1 {
			r.append(t, ctx, &subjects.Cancelled{Job: "hello-a"})
		}
		v, err := r.View(ctx)
		must(t, err)
		j := v.State.Job("hello-a")
		if j == nil || j.Phase.Ended() != (more == 1) {
			t.Fatalf("after %d more entries the job is %+v, want it ended: %v", more, j, more == 1)
		}
	}
}

func TestViewWithoutASnapshotOfATrimmedLogSaysSo(t *testing.T) {
	r, ctx := newRig(t)
	r.append(t, ctx, submitted(t, "hello-a"), submitted(t, "hello-b"))
	must(t, r.bus.Trim(ctx, 2))
	if _, err := r.View(ctx); err == nil || !strings.Contains(err.Error(), "start lull admission") {
		t.Errorf("View() of a log that was cut = %v, want an error with advice", err)
	}
}

func TestHistoryIsOneJobsInOrder(t *testing.T) {
	r, ctx := newRig(t)
	if h, err := r.History(ctx, "hello-a"); err != nil || len(h) != 0 {
		t.Fatalf("History() before anything = %v, %v, want none", h, err)
	}
	r.append(t, ctx,
		submitted(t, "hello-a"), submitted(t, "hello-b"), &subjects.Admitted{Job: "hello-a", Mode: "affected"},
		&subjects.Assigned{Host: "h", Job: "hello-a", Width: 1}, &subjects.Assigned{Host: "h", Job: "hello-b", Width: 1},
		&subjects.Endangered{Job: "hello-a"})
	h, err := r.History(ctx, "hello-a")
	must(t, err)
	var kinds []string
	for _, e := range h {
		kinds = append(kinds, subjects.Kind(e.Event))
	}
	if got := strings.Join(kinds, " "); got != "job.submitted job.admitted host.assigned job.endangered" {
		t.Errorf("kinds = %s, want job.submitted job.admitted host.assigned job.endangered", got)
	}
}

func TestFindTakesAUniquePrefix(t *testing.T) {
	s := ledger.New()
	canonical, err := parse(t, hello).Job()
	must(t, err)
	for i, id := range []string{"hello-aa", "hello-ab", "hello-a"} {
		s.Apply(uint64(i+1), time.Unix(1, 0), &subjects.Submitted{Job: id, Spec: canonical})
	}
	for given, want := range map[string]string{"hello-a": "hello-a", "hello-ab": "hello-ab", "hello-aa": "hello-aa"} {
		if j, err := client.Find(s, given); err != nil || j.ID != want {
			t.Errorf("Find(%s) = %v, %v, want %s", given, j, err, want)
		}
	}
	if _, err := client.Find(s, "hel"); err == nil || !strings.Contains(err.Error(), "hello-ab, hello-aa") {
		t.Errorf("Find(hel) = %v, want an error with both jobs", err)
	}
	if _, err := client.Find(s, ""); !errors.Is(err, client.ErrNoJob) {
		t.Errorf(`Find("") = %v, want ErrNoJob`, err)
	}
	if _, err := client.Find(s, "bye"); err == nil || !strings.Contains(err.Error(), "lull jobs lists") {
		t.Errorf("Find(bye) = %v, want an error with advice", err)
	}
}

func TestSayIsOneBatch(t *testing.T) {
	r, ctx := newRig(t)
	must(t, r.Append(ctx, ledger.New(), &subjects.PoolPaused{Who: "me"}, &subjects.Paused{Host: "a"}, &subjects.Paused{Host: "b"}))
	v, err := r.View(ctx)
	must(t, err)
	if !v.State.Paused || v.State.Seq != 3 {
		t.Errorf("paused = %v after %d entries, want true after 3", v.State.Paused, v.State.Seq)
	}
	if err := r.Append(ctx, ledger.New(), &subjects.PoolPaused{}, &subjects.Paused{Host: "a.b"}); err == nil {
		t.Error("Append(Paused{Host: a.b}) = nil, want an error")
	}
	if info, err := r.bus.Log(ctx); err != nil || info.Last != 3 {
		t.Errorf("the log ends at %d after a refused batch, %v, want 3", info.Last, err)
	}
}

func TestRequestsAreAnswered(t *testing.T) {
	r, ctx := newRig(t)
	if v, err := r.Cancel(ctx, client.Request{Job: "hello-a", Why: "no longer needed"}); !errors.Is(err, client.ErrNoVerdict) {
		t.Fatalf("Cancel() without admission = %+v, %v, want ErrNoVerdict", v, err)
	}
	asked, err := r.nc.SubscribeSync(pool.Request(subjects.RequestRetry))
	must(t, err)
	must(t, r.nc.Flush()) // the server knows the subscription before a client asks
	answered := make(chan error, 1)
	go func() {
		m, err := asked.NextMsgWithContext(ctx)
		if err != nil {
			answered <- err
			return
		}
		req, err := subjects.DecodeRequest(m.Data)
		body, _ := json.Marshal(subjects.Verdict{Job: req.Job, Verdict: "retried"})
		answered <- err
		if !bytes.Contains(m.Data, []byte("hello-a")) {
			return
		}
		_ = r.nc.Publish(m.Reply, body)
	}()
	v, err := r.Retry(ctx, client.Request{Job: "hello-a"})
	must(t, <-answered)
	if err != nil || v == nil || v.Verdict != "retried" || v.Job != "hello-a" {
		t.Errorf("Retry() = %+v, %v, want retried", v, err)
	}
}

// TestKindsOfANewerVersion: an unknown kind that its writer marked optional is passed over;
// any other ends the view with advice.
func TestKindsOfANewerVersion(t *testing.T) {
	r, ctx := newRig(t)
	js, err := jetstream.New(r.nc)
	must(t, err)
	stream, err := js.Stream(ctx, pool.Log())
	must(t, err)
	config := stream.CachedInfo().Config
	config.Subjects = append(config.Subjects, "lull.default.job.*.levitated")
	_, err = js.UpdateStream(ctx, config)
	must(t, err)
	say := func(optional bool) {
		_, err := r.bus.Append(ctx, []subjects.Message{{Subject: "lull.default.job.hello-a.levitated", Optional: optional}}, actors.Fence{})
		must(t, err)
	}
	r.append(t, ctx, submitted(t, "hello-a"))
	say(true)
	r.append(t, ctx, &subjects.Cancelled{Job: "hello-a"})
	v, err := r.View(ctx)
	must(t, err)
	if !v.State.Job("hello-a").Phase.Ended() || v.State.Seq != 3 {
		t.Errorf("behind an optional entry the job is %v, at %d, want ended, 3", v.State.Job("hello-a").Phase, v.State.Seq)
	}
	if h, err := r.History(ctx, "hello-a"); err != nil || len(h) != 2 {
		t.Errorf("History() = %v, %v, want two events", h, err)
	}
	say(false)
	const want = "use the version that the pool runs"
	if _, err := r.View(ctx); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("View() with an unknown kind = %v, want %q", err, want)
	}
	if _, err := r.History(ctx, "hello-a"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("History() with an unknown kind = %v, want %q", err, want)
	}
}

// TestViewGoesOnBehindATrimmedPart trims entries that the view has not read yet, as happens
// to a client whose machine is suspended.
func TestViewGoesOnBehindATrimmedPart(t *testing.T) {
	r, ctx := newRig(t)
	r.append(t, ctx, submitted(t, "hello-a"))
	v, err := r.View(ctx)
	must(t, err)
	snapshot := func(entries ...subjects.Event) {
		s := ledger.New()
		for i, e := range entries {
			s.Apply(uint64(i+1), time.Now(), e)
		}
		packed, err := s.PackWith(section.Kind{Name: "own"}, &struct{}{})
		must(t, err)
		info, err := r.bus.Log(ctx)
		must(t, err)
		must(t, r.bus.Save(ctx, actors.SnapshotName("slotter", "all", 1), actors.Snapshot{Created: info.Created, Seq: s.Seq, State: packed}))
	}
	gone := []subjects.Event{submitted(t, "hello-a"), &subjects.Cancelled{Job: "hello-a"}, submitted(t, "hello-b")}
	late := make(chan actors.Delivery, 1)
	v.Hears(late)
	r.append(t, ctx, gone[1:]...)
	snapshot(gone...)
	must(t, r.bus.Trim(ctx, 4))
	r.append(t, ctx, &subjects.Cancelled{Job: "hello-b"})
	late <- actors.Delivery{Seq: 4, Subject: pool.OfJob("hello-b")} // ignored: the view reads it again
	must(t, v.Until(ctx, func() bool { return v.State.Seq >= 4 }))
	for _, job := range []string{"hello-a", "hello-b"} {
		if j := v.State.Job(job); j == nil || j.Phase != ledger.Cancelled {
			t.Errorf("job %s = %+v, want cancelled", job, j)
		}
	}
}
