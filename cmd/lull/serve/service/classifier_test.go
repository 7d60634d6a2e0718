package service

import (
	"context"
	"math"
	"testing"
	"time"

	"lull/actors/jetstream"
	"lull/actors/jetstream/connect"
	"lull/actors/jetstream/embedded"
	"lull/actors/jetstream/embedded/embeddedtest"
	"lull/actors/jetstream/embedded/embeddedtest/bustest"
	"lull/classifier"
	"lull/client"
	"lull/subjects"
	"lull/subjects/history"
	"lull/subjects/ledger"
	"lull/subjects/profile"
)

// classPool is a pool with a server, one classifier and a client.
type classPool struct {
	t      *testing.T
	bus    *jetstream.Bus
	client *client.Client
	server *embedded.Server
	midday time.Time // of today
}

func newClassPool(t *testing.T) *classPool {
	t.Helper()
	server := embeddedtest.Start(t, embedded.Config{Listen: "127.0.0.1:0", Token: "secret"})
	bus := bustest.Open(t, server, subjects.DefaultPool)
	own, err := connect.Dial(server.URL(), "client", "secret")
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.Open(t.Context(), own, subjects.DefaultPool)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return &classPool{t, bus, c, server, time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour)}
}

// serve runs a classifier until the function it returns is called.
func (p *classPool) serve() (stop func()) {
	p.t.Helper()
	shared := Shared{}
	shared.Fill()
	bus := bustest.Open(p.t, p.server, subjects.DefaultPool)
	service, err := NewClassifier(bus, shared, classifier.Config{})
	if err != nil {
		p.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(p.t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- service.Run(ctx) }()
	stop = func() {
		cancel()
		if err := <-ended; err != nil {
			p.t.Errorf("Run() = %v, want no error", err)
		}
	}
	return stop
}

// live puts the last days of a host into the stream.
func (p *classPool) live(host, tenant string, days int, used func(at time.Time) float64) {
	p.t.Helper()
	for d := 1; d <= days; d++ {
		day := p.midday.Add(-12*time.Hour).AddDate(0, 0, -d)
		b := &history.Block{From: history.Slot(day)}
		for i := range history.PerDay {
			at := day.Add(time.Duration(i) * history.Step)
			share := history.Thousandths(used(at) + 0.002*float64(i%5))
			b.Put(history.Slot(at), history.Sample{Mean: share, Peak: share, Seconds: 120}, history.Owner{Tenant: tenant})
		}
		if err := p.bus.PutHistory(p.t.Context(), history.Message(subjects.DefaultPool, host, b)); err != nil {
			p.t.Fatal(err)
		}
	}
}

// TestAClassifierLearnsFromTheStream puts history into the stream of a real server and asks as a
// client. The classes are then in the log for all readers.
func TestAClassifierLearnsFromTheStream(t *testing.T) {
	p := newClassPool(t)
	wave := func(at time.Time) float64 {
		return 0.3 - 0.2*math.Cos(2*math.Pi*float64(at.Hour()*60+at.Minute())/1440)
	}
	p.live("a", "shop", 9, wave)
	p.live("b", "shop", 9, wave)
	if err := p.client.Append(t.Context(), ledger.New(), client.Owned(map[string]string{"a": "shop", "b": "shop"})); err != nil {
		t.Fatal(err)
	}
	p.live("c", "", 9, func(time.Time) float64 { return 0.6 })
	// Bytes that are no block are skipped.
	garbage := subjects.Message{Subject: subjects.DefaultPool.OfHistory("g", "2026010100"), Body: []byte("garbage")}
	if err := p.bus.PutHistory(t.Context(), garbage); err != nil {
		t.Fatal(err)
	}
	stop := p.serve()
	defer func() { stop() }()
	answer, err := p.client.Classify(t.Context(), true)
	if err != nil || answer.Tenants != 2 || answer.Hosts != 3 {
		t.Fatalf("Classify(dry run) = %+v, %v, want 2 tenants, 3 hosts", answer, err)
	}
	if _, err := p.client.Classify(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	lines := p.known(2)
	own, shop := lines[0].Class, lines[1].Class
	if lines[0].Tenant != "host:c" || own.Profile.Pattern != profile.Constant || math.Abs(own.Profile.Average-0.6) > 0.02 || own.Class == "" {
		t.Errorf("tenant %s = %+v, want host:c, constant at 0.6, with a class", lines[0].Tenant, own)
	}
	if lines[1].Tenant != "shop" || shop.Profile.Pattern != profile.Periodic || shop.Class == "" {
		t.Errorf("tenant %s = %+v, want shop, periodic, with a class", lines[1].Tenant, shop)
	}

	// Another instance goes on from the snapshot and the log: the same names, nothing new.
	stop()
	stop = p.serve()
	again, err := p.client.Classify(t.Context(), false)
	if err != nil || again.Changed != 0 || again.Tenants != 2 {
		t.Errorf("Classify() by the next instance = %+v, %v, want 2 tenants, none changed", again, err)
	}
}

// known waits until so many tenants stand in the log.
func (p *classPool) known(n int) []subjects.TenantLine {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	for {
		lines, _, err := p.client.Tenants(ctx)
		if err != nil {
			p.t.Fatalf("Tenants() = %d tenants, %v, want %d", len(lines), err, n)
		}
		if len(lines) == n {
			return lines
		}
	}
}
