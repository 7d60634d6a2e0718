package past

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"lull/classifier/series"
	"lull/subjects"
	"lull/subjects/history"
	"lull/test/public"
)

// load is what the hosts of all tenants use.
type load struct {
	size
	of []*series.Series // real ones; tenants take turns
}

// newLoad reads the public series, and returns a description of them.
func newLoad(n size) (*load, string) {
	l := &load{size: n}
	all, err := public.Usage("bitbrains_rnd_2013-07", public.Begin)
	if err != nil {
		return l, "Without the public series each host uses a level of its own with 1 % of noise."
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		l.of = append(l.of, all[id])
	}
	return l, fmt.Sprintf("Tenants use what Bitbrains' %d machines used in July 2013; each of their hosts differs by 1 %% of noise each two minutes, and its peak is up to half as much more.", len(all))
}

// owners are the tenants of all hosts.
func (l *load) owners() map[string]string {
	all := map[string]string{}
	for number := range l.hosts {
		all[hostName(number)] = fmt.Sprintf("tenant-%d", number%l.tenants)
	}
	return all
}

func hostName(number int) string { return fmt.Sprintf("host-%05d", number) }

// block returns a host's day from a slot on. days is the number of days since the first one.
func (l *load) block(number int, day int64, days int, rng *rand.Rand) *history.Block {
	tenant := number % l.tenants
	owner := history.Owner{Cores: 12, Memory: 32 << 30}
	b := &history.Block{}
	for i := range history.PerDay {
		level := 0.05 + 0.4*float64(tenant)/float64(l.tenants)
		if len(l.of) > 0 {
			s := l.of[tenant%len(l.of)]
			level = float64(s.Mean[(days*history.PerDay+i)*2/5%len(s.Mean)])
		}
		if math.IsNaN(level) { // a gap
			continue
		}
		mean := min(max(level+0.01*rng.NormFloat64(), 0), 1)
		s := history.Sample{Mean: history.Thousandths(mean), Peak: history.Thousandths(min(mean*(1+0.5*rng.Float64()), 1)), Memory: 300 + uint16(tenant%400), Seconds: 120}
		b.Put(day+int64(i), s, owner)
	}
	return b
}

// put puts whole days of all hosts, from a slot on, and returns how many samples they have. since is
// the number of the first day.
func (p *pool) put(ctx context.Context, l *load, first int64, since, days int) (samples int, err error) {
	js, err := jetstream.New(p.conn, jetstream.WithPublishAsyncMaxPending(1000))
	if err != nil {
		return 0, err
	}
	for day := range days {
		for number := range l.hosts {
			b := l.block(number, first+int64(day*history.PerDay), since+day, rand.New(rand.NewPCG(uint64(number), uint64(since+day))))
			if b.Observed() == 0 {
				continue
			}
			samples += b.Observed()
			m := history.Message(subjects.DefaultPool, hostName(number), b)
			if _, err := js.PublishMsgAsync(&nats.Msg{Subject: m.Subject, Data: m.Body}, jetstream.WithStallWait(time.Minute)); err != nil {
				return 0, err
			}
		}
	}
	select {
	case <-js.PublishAsyncComplete():
		return samples, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// streamInfo is what the stream holds.
type streamInfo struct {
	messages, subjects int
	bytes              uint64
}

func (p *pool) info(ctx context.Context) (i streamInfo, err error) {
	js, err := jetstream.New(p.conn)
	if err != nil {
		return i, err
	}
	stream, err := js.Stream(ctx, subjects.DefaultPool.History())
	if err != nil {
		return i, err
	}
	state := stream.CachedInfo().State
	return streamInfo{int(state.Msgs), int(state.NumSubjects), state.Bytes}, nil
}
