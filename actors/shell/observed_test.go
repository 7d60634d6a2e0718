package shell_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"lull/actors"
	"lull/actors/memory"
	"lull/actors/shell"
	"lull/subjects"
)

// echo decides one event for each Drained and says which trace it continues.
type echo struct {
	pending []string
	folded  bool
	settled chan bool // its batch has come back and was acknowledged
}

const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

func (a *echo) Step(in actors.Input) (out actors.Output) {
	if in.Entry != nil {
		switch e := in.Entry.Event.(type) {
		case *subjects.Drained:
			a.pending = append(a.pending, e.Host)
		case *subjects.Resumed:
			a.pending = slices.DeleteFunc(a.pending, func(h string) bool { return h == e.Host })
			a.folded = true
		}
	}
	if in.Decide {
		if a.folded { // the shell asks again only then
			a.folded = false
			a.settled <- true
		}
		for _, host := range a.pending {
			out.Events = append(out.Events, &subjects.Resumed{Host: host})
		}
	}
	return out
}

func (a *echo) Snapshot() ([]byte, error)   { return nil, nil }
func (a *echo) Restore([]byte) error        { return nil }
func (a *echo) Trace(subjects.Event) string { return parent }

// TestObserved runs two shells in one process on one registry, and checks their Prometheus metrics
// and OpenTelemetry spans.
func TestObserved(t *testing.T) {
	bus := memory.New("test")
	registry := prometheus.NewRegistry()
	spans := tracetest.NewSpanRecorder()
	tracer := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)).Tracer("test")
	ctx, stop := context.WithCancel(t.Context())
	var shells []*shell.Shell
	for _, partition := range []string{"one", "two"} {
		actor := &echo{settled: make(chan bool, 10)}
		service, err := shell.New(shell.Config{
			Role: actors.Role{Name: "echo", Partition: partition}, Bus: bus, Actor: actor, Registerer: registry, Tracer: tracer,
		})
		if err != nil {
			t.Fatal(err)
		}
		shells = append(shells, service)
		if partition == "two" {
			break // it is there, and must not collide
		}
		go service.Run(ctx) //nolint:errcheck // it ends with the test
		m, err := subjects.Encode("test", &subjects.Drained{Host: "a"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bus.Append(ctx, []subjects.Message{m}, actors.Fence{}); err != nil {
			t.Fatal(err)
		}
		<-actor.settled
	}
	stop()
	<-shells[0].Done()
	checkSpans(t, spans.Ended())
	got := gather(t, registry)
	for name, want := range map[string]float64{
		"lull_shell_entries_total": 3, "lull_shell_decisions_total": 1, "lull_shell_terms_total": 1, "lull_shell_leading": 0,
	} {
		if got[name+" one"] != want {
			t.Errorf("%s of one is %v, want %v", name, got[name+" one"], want)
		}
	}
	if got["lull_shell_entries_total two"] != 0 {
		t.Errorf("entries of the second shell = %v, want them apart from the first one's", got["lull_shell_entries_total two"])
	}
}

func gather(t *testing.T, registry *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]float64)
	for _, family := range families {
		for _, m := range family.GetMetric() {
			for _, label := range m.GetLabel() {
				if label.GetName() == "partition" {
					got[family.GetName()+" "+label.GetValue()] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
				}
			}
		}
	}
	return got
}

// checkSpans: a span in the job's trace, and one of the batch linked to it.
func checkSpans(t *testing.T, ended []sdktrace.ReadOnlySpan) {
	t.Helper()
	if len(ended) != 2 {
		t.Fatalf("%d spans, want 2", len(ended))
	}
	child, batch := ended[0], ended[1]
	if !strings.Contains(parent, child.SpanContext().TraceID().String()) {
		t.Errorf("trace of the decision's span = %s, want its job's, of %s", child.SpanContext().TraceID(), parent)
	}
	if links := batch.Links(); len(links) != 1 || !links[0].SpanContext.Equal(child.SpanContext()) {
		t.Errorf("links of the batch = %v, want the decision's span", links)
	}
}
