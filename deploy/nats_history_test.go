package deploy_test

import (
	"slices"
	"testing"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/subjects"
)

// TestHistoryIsWrittenByItsHost puts and reads blocks with the keys of hosts, of the services
// and of an operator.
func TestHistoryIsWrittenByItsHost(t *testing.T) {
	s, ctx := start(t), t.Context()
	service := opened(t, s)
	attached := func(user string) *jetstream.Bus {
		bus, err := jetstream.Attach(ctx, as(t, s, user), pool)
		must(t, err)
		return bus
	}
	host, operator := attached("host-a"), attached("olga")
	must(t, host.PutHistory(ctx, subjects.Message{Subject: pool.OfHistory("a", "1"), Body: []byte("x")}))
	must(t, operator.PutHistory(ctx, subjects.Message{Subject: pool.OfPast("a", "1"), Body: []byte("y")}))
	for name, bus := range map[string]*jetstream.Bus{"service": service, "operator": operator} {
		var all []string
		_, err := bus.ReadHistory(ctx, 0, "", func(d actors.Delivery) error {
			all = append(all, d.Subject+"="+string(d.Body))
			return nil
		})
		must(t, err)
		if want := []string{"lull.default.history.a.1=x", "lull.default.past.a.1=y"}; !slices.Equal(all, want) {
			t.Errorf("ReadHistory as the %s = %q, want %q", name, all, want)
		}
		info, err := bus.HistoryInfo(ctx)
		if err != nil || info.Last != 2 || info.Created.IsZero() {
			t.Errorf("HistoryInfo as the %s = %+v, %v, want the last sequence 2 and a time of creation", name, info, err)
		}
	}
	for _, user := range []string{"host-a", "ann", "dashboard"} {
		if _, err := attached(user).ReadHistory(ctx, 0, "", func(actors.Delivery) error { return nil }); err == nil {
			t.Errorf("ReadHistory as %s = nil error, want an error", user)
		}
	}
}
