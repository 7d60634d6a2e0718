package upgrade

import (
	"context"
	"strings"
	"testing"

	"lull/actors"
	"lull/actors/memory"
	"lull/actors/shell"
	"lull/admission"
	"lull/slotter"
	"lull/subjects"
)

// TestServicesGoOnFromARelease puts a release's log and last snapshots on a bus, trims the entries
// that the snapshots cover, and starts this version's services: they lead, and a new job gets its
// verdict.
func TestServicesGoOnFromARelease(t *testing.T) {
	fixtures(t, func(t *testing.T, f *Fixture) {
		bus := memory.New(subjects.DefaultPool)
		f.put(t, bus)
		ctx, stop := context.WithTimeout(t.Context(), patience)
		defer stop()
		from := must(bus.Log(ctx))(t).Last + 1
		judge := must(admission.New(admission.Config{Pool: subjects.DefaultPool}))(t)
		slots := must(slotter.New(slotter.Config{}))(t)
		ended := []<-chan error{
			serve(t, ctx, shell.Config{Role: admission.Role(bus.Pool()), Actor: judge, Bus: bus}),
			serve(t, ctx, shell.Config{Role: slotter.Role(bus.Pool()), Actor: slots, Bus: bus}),
		}
		for range 16 { // the inbox is new, and the log has dealt with some messages of the old one
			if err := bus.Send(actors.Delivery{Subject: subjects.DefaultPool.Submit(), Body: []byte("?")}); err != nil {
				t.Fatal(err)
			}
		}
		doc := `{"name":"next","stages":[{"name":"a","command":["true"],"tasks":1}]}`
		if err := bus.Send(actors.Delivery{Subject: subjects.DefaultPool.Submit(), Body: []byte(doc)}); err != nil {
			t.Fatal(err)
		}
		wanted := map[string]bool{"led admission": true, "led slotter": true, "admitted next": true}
		for d := range must(bus.Follow(ctx, from, ""))(t) {
			event, err := subjects.Decode(subjects.DefaultPool, d.Subject, d.Body)
			if err != nil {
				t.Fatal(err)
			}
			switch e := event.(type) {
			case *subjects.Led:
				delete(wanted, "led "+e.Actor)
			case *subjects.Admitted:
				if strings.HasPrefix(e.Job, "next-") {
					delete(wanted, "admitted next")
				}
			}
			if len(wanted) == 0 {
				break
			}
		}
		if len(wanted) > 0 {
			t.Errorf("missing after %v = %v, want nothing", patience, wanted)
		}
		stop()
		for i, end := range ended {
			if err := <-end; err != nil {
				t.Errorf("service %d ended with %v, want no error", i, err)
			}
		}
	})
}

func serve(t *testing.T, ctx context.Context, cfg shell.Config) <-chan error {
	t.Helper()
	cfg.SnapshotEvery, cfg.Keep, cfg.Trimmer = 1000, 1000, false
	cfg.Perform = func(actors.Action) {}
	service := must(shell.New(cfg))(t)
	ended := make(chan error, 1)
	go func() { ended <- service.Run(ctx) }()
	return ended
}

// put fills a bus with the log and the last snapshot of each name, and trims the log below
// the lowest of the services' snapshots.
func (f *Fixture) put(t *testing.T, bus *memory.Bus) {
	t.Helper()
	for _, e := range f.Entries {
		m := subjects.Message{Subject: e.Subject, Body: e.Body}
		if _, err := bus.Append(t.Context(), []subjects.Message{m}, actors.Fence{}); err != nil {
			t.Fatal(err)
		}
	}
	info := must(bus.Log(t.Context()))(t)
	last := map[string]uint64{}
	for _, s := range f.Snapshots {
		var snap actors.Snapshot
		if err := subjects.Unmarshal(s.Body, &snap); err != nil {
			t.Fatal(err)
		}
		snap.Created = info.Created
		if err := bus.Save(t.Context(), s.Name, snap); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(s.Name, "hostctl.") {
			last[s.Name] = snap.Seq
		}
	}
	below := info.Last
	for _, seq := range last {
		below = min(below, seq+1)
	}
	if err := bus.Trim(t.Context(), below); err != nil || below < 50 {
		t.Fatalf("Trim(below %d) = %v, want no error, and at least 50", below, err)
	}
}
