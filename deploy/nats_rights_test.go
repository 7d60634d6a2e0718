package deploy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"

	"lull/test/poll"
)

// act is an action that a key may try. who lists the keys for which it changes the pool's streams;
// for all others nothing may change.
type act struct {
	name string
	do   func(*nats.Conn)
	who  string
}

const (
	services = "admission slotter classifier placer"
	none     = ""

	// refusal bounds the wait for an answer that may never come.
	refusal = 100 * time.Millisecond
)

// streams returns the names of the pool's streams.
func streams() []string {
	return []string{
		pool.Log(), pool.Inbox(), pool.QuarantineStream(),
		"KV_" + pool.Leases(), "OBJ_" + pool.Snapshots(), "OBJ_" + pool.Objects(), pool.Lists(), pool.History(),
	}
}

// words are the pool's subjects, without their prefix, with the keys that may publish on them.
var words = map[string]string{
	"job.j.submitted": "admission", "job.j.trying": "admission", "job.j.admitted": "admission", "job.j.rejected": "admission",
	"job.j.endangered": "admission", "job.j.cancelled": "admission", "job.j.retried": "admission",
	"led.admission.all": "admission", "led.slotter.all": "slotter", "led.classifier.all": "classifier", "led.placer.all": "placer", "job.j.placed": "placer",
	"tenant.t.classified": "classifier", "pool.classified": "classifier",
	"job.j.finished": "slotter", "job.j.steered": "slotter", "job.j.failed": "slotter", "model.m.fitted": "slotter",
	"host.a.lost": "slotter", "host.a.assigned.j": "slotter", "host.a.revoked.j": "slotter",
	"host.a.paced.j": "slotter", "host.a.outputlost.j": "slotter",
	"host.a.joined": "host-a", "host.a.left": "host-a", "host.a.harmed": "host-a",
	"host.a.started.j": "host-a", "host.a.finished.j": "host-a", "host.a.failed.j": "host-a",
	"host.a.evicted.j": "host-a", "host.a.declined.j": "host-a", "host.a.identified.j": "host-a", "host.a.outputmissing.j": "host-a",
	"host.b.joined": none, "host.b.left": none, "host.b.harmed": none, "host.b.started.j": none,
	"host.b.finished.j": none, "host.b.failed.j": none, "host.b.evicted.j": none,
	"host.b.declined.j": none, "host.b.identified.j": none, "host.b.outputmissing.j": none,
	"host.a.paused": none, "host.a.resumed": none, "host.a.drained": none, "queue.q.shared": none,
	"pool.paused": none, "pool.resumed": none, "pool.wired": none, "pool.wired.olga": "olga", "pool.wired.ann": none,
	"pool.owned": none, "pool.owned.olga": "olga", "pool.owned.ann": none, "pool.owned.a": none,
	"host.a.paused.olga": "olga", "host.a.resumed.olga": "olga", "host.a.drained.olga": "olga",
	"queue.q.shared.olga": "olga", "pool.paused.olga": "olga", "pool.resumed.olga": "olga",
	"host.a.paused.ann": none, "pool.paused.ann": none,
	"submit": "ann olga", "submit.ann": "ann", "submit.bob": none, "submit.olga": "olga",
	"request.cancel": "ann olga", "request.retry": "ann olga",
	"request.cancel.ann": "ann", "request.retry.ann": "ann", "request.cancel.bob": none, "request.retry.bob": none,
	"request.cancel.olga": "olga", "admin.cancel.olga": "olga", "admin.retry.olga": "olga",
	"admin.cancel.ann": none, "admin.retry.ann": none,
	"quarantine.log":       services + " host-a",
	"history.a.2026010100": "host-a", "history.b.2026010100": none, "past.a.2026010100": "olga",
}

// acts lists all acts. Acts call last when they are tried: it returns the last sequence of a stream.
func acts(last func(stream string) uint64) []act {
	var all []act
	publish := func(who, subject string, header ...string) {
		all = append(all, act{fmt.Sprint("publish ", subject, " ", header), func(nc *nats.Conn) {
			m := &nats.Msg{Subject: subject, Data: []byte("forged"), Header: nats.Header{}}
			for i := 0; i < len(header); i += 2 {
				m.Header.Set(header[i], header[i+1])
			}
			_ = nc.PublishMsg(m)
		}, who})
	}
	ask := func(who, subject, body string) {
		all = append(all, act{"ask " + subject + " " + body, func(nc *nats.Conn) {
			_, _ = nc.Request(subject, []byte(body), refusal) // refused at once, or answered
		}, who})
	}
	for word, who := range words {
		publish(who, "lull.default."+word)
	}
	// Streams beside the log.
	publish("admission", "$KV.LULL_default_LEASES.admission.all")
	publish("slotter", "$KV.LULL_default_LEASES.slotter.all")
	publish("placer", "$KV.LULL_default_LEASES.placer.all")
	publish("classifier", "$KV.LULL_default_LEASES.classifier.all")
	publish(none, "$KV.LULL_default_LEASES.hostctl.a")
	for _, header := range [][]string{nil, {"Nats-Rollup", "sub"}, {"Nats-Rollup", "all"}} {
		publish(services, "$O.LULL_default_SNAPSHOTS.C.seed", header...)
		publish(services, "$O.LULL_default_SNAPSHOTS.M.seed", header...)
		publish(none, "$O.LULL_default_OBJECTS.M.seed", header...)
		publish(none, "$O.LULL_default_OBJECTS.C.seed", header...)
	}
	publish("ann", "lull.default.list.ann.sum")
	publish("ann olga", "lull.default.list.-.sum")
	publish(none, "lull.default.list.bob.seed")
	for _, rollup := range []string{"sub", "all"} {
		for _, subject := range []string{"list.ann.sum", "list.bob.seed", "submit", "host.a.joined", "quarantine.log", "pool.paused.olga"} {
			publish(none, "lull.default."+subject, "Nats-Rollup", rollup)
		}
	}
	for _, s := range streams() {
		purges, deletes := none, none
		switch s {
		case pool.Log():
			purges = "admission slotter" // they trim it
		case "OBJ_" + pool.Snapshots():
			purges = services // they replace snapshots
		case pool.Inbox():
			purges = "admission" // it makes room
		case pool.Lists():
			deletes = "slotter" // it sweeps them
		}
		ask(purges, "$JS.API.STREAM.PURGE."+s, "")
		ask(none, "$JS.API.STREAM.DELETE."+s, "")
		all = append(all, act{"delete the last message of " + s, func(nc *nats.Conn) {
			_, _ = nc.Request("$JS.API.STREAM.MSG.DELETE."+s, fmt.Appendf(nil, `{"seq":%d}`, last(s)), refusal)
		}, deletes})
		ask(none, "$JS.API.STREAM.SNAPSHOT."+s, `{"deliver_subject":"lull.default.pool.paused"}`)
		ask(services, "$JS.API.CONSUMER.DURABLE.CREATE."+s+".d", `{"stream_name":"`+s+`","config":{"durable_name":"d","ack_policy":"explicit"}}`)
	}
	for _, s := range streams()[1:] {
		push := `{"stream_name":"` + s + `","config":{"deliver_subject":"lull.default.pool.paused","name":"push","ack_policy":"none"}}`
		ask(services, "$JS.API.CONSUMER.CREATE."+s+".push", push)
		ask(services, "$JS.API.CONSUMER.CREATE."+s, strings.Replace(push, `"name":"push",`, "", 1))
	}
	ask(services, "$JS.API.CONSUMER.CREATE."+pool.Log()+".pull", `{"stream_name":"LULL_default","config":{"name":"pull","ack_policy":"none"}}`)
	ask(services, "$JS.API.CONSUMER.DELETE."+pool.Log()+".standing", "")
	ask(none, "$JS.API.STREAM.CREATE.OTHER", `{"name":"OTHER","subjects":["lull.default.ticket.*"]}`)
	// A request chooses the subject of its answer, which must stay in the key's account.
	for _, to := range []string{"lull.default.pool.paused", "lull.default.host.b.joined", "$KV.LULL_default_LEASES.slotter.all", "$O.LULL_default_SNAPSHOTS.C.seed"} {
		for _, question := range [][2]string{
			{"$JS.API.DIRECT.GET." + pool.Log(), `{"seq":1}`},
			{"$JS.API.DIRECT.GET." + pool.Log(), `{"seq":1,"next_by_subj":">","batch":5}`},
			{"$JS.API.DIRECT.GET." + pool.Lists(), `{"next_by_subj":">"}`},
			{"$JS.API.DIRECT.GET." + pool.History(), `{"next_by_subj":">"}`},
			{pool.API() + ".STREAM.INFO." + pool.Log(), ""},
			{"$JS.API.STREAM.INFO." + pool.Log(), ""},
			{"$SYS.REQ.USER.INFO", ""}, {pool.Ask("outputs"), ""}, {pool.Ticket("b"), ""}, {pool.Pass("b"), ""},
		} {
			who := none
			if strings.HasPrefix(question[0], "$JS.API") {
				who = services // see docs/security.md
			}
			all = append(all, act{"answer to " + to + " on " + question[0] + question[1], func(nc *nats.Conn) {
				_ = nc.PublishRequest(question[0], to, []byte(question[1]))
				_, _ = nc.Request(question[0], []byte(question[1]), refusal)
			}, who})
		}
	}
	slices.SortFunc(all, func(a, b act) int { return strings.Compare(a.name, b.name) })
	return all
}

// judge inspects the pool with a key that has every right.
type judge struct {
	t   *testing.T
	ctx context.Context
	nc  *nats.Conn
	js  js.JetStream
}

// seed puts a message into every stream that an act may change, and returns what look returns then.
func (j *judge) seed() string {
	j.t.Helper()
	for _, subject := range []string{
		"lull.default.host.a.joined", "lull.default.submit", "lull.default.quarantine.seed", "$KV.LULL_default_LEASES.slotter.seed",
		"$O.LULL_default_SNAPSHOTS.C.seed", "$O.LULL_default_SNAPSHOTS.M.seed", "$O.LULL_default_OBJECTS.C.seed", "$O.LULL_default_OBJECTS.M.seed", "lull.default.list.bob.seed", "lull.default.history.b.seed",
	} {
		if _, err := j.js.Publish(j.ctx, subject, []byte("seed")); err != nil {
			j.t.Fatalf("Publish(%s) as the judge = %v, want no error", subject, err)
		}
	}
	// Durable: the server removes any other consumer after five seconds without use.
	_, err := j.js.CreateOrUpdateConsumer(j.ctx, pool.Log(), js.ConsumerConfig{Durable: "standing", AckPolicy: js.AckNonePolicy})
	must(j.t, err)
	return j.look()
}

// look describes all streams of the account, their content and their consumers.
func (j *judge) look() string {
	j.t.Helper()
	var all []string
	for list := j.js.ListStreams(j.ctx); ; {
		info, open := <-list.Info()
		if !open {
			must(j.t, list.Err())
			break
		}
		stream, err := j.js.Stream(j.ctx, info.Config.Name)
		must(j.t, err)
		full, err := stream.Info(j.ctx, js.WithSubjectFilter(">"))
		must(j.t, err)
		var readers []string
		for c := range stream.ConsumerNames(j.ctx).Name() {
			readers = append(readers, c)
		}
		slices.Sort(readers)
		full.State.FirstTime, full.State.LastTime, full.TimeStamp, full.Cluster = time.Time{}, time.Time{}, time.Time{}, nil
		config, _ := json.Marshal(full.Config)
		all = append(all, fmt.Sprintf("%s %d..%d %d %v %v %s", info.Config.Name, full.State.FirstSeq, full.State.LastSeq, full.State.Msgs, full.State.Subjects, readers, config))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// last returns the last sequence of a stream.
func (j *judge) last(stream string) uint64 {
	j.t.Helper()
	s, err := j.js.Stream(j.ctx, stream)
	must(j.t, err)
	return s.CachedInfo().State.LastSeq
}

// difference returns the lines of two looks that are in one of them only.
func difference(before, after string) string {
	var lines []string
	for _, line := range strings.Split(before, "\n") {
		if !strings.Contains(after, line) {
			lines = append(lines, "before: "+line)
		}
	}
	for _, line := range strings.Split(after, "\n") {
		if !strings.Contains(before, line) {
			lines = append(lines, "after:  "+line)
		}
	}
	return strings.Join(lines, "\n")
}

// clean removes the consumers and streams that an act made.
func (j *judge) clean() {
	for _, s := range streams() {
		stream, err := j.js.Stream(j.ctx, s)
		must(j.t, err)
		for c := range stream.ConsumerNames(j.ctx).Name() {
			_ = stream.DeleteConsumer(j.ctx, c)
		}
	}
}

// TestEachKeyMayDoWhatItsRoleSays tries every act with every key, and compares the pool
// before and after. Each key has a server of its own, since a refused act is mostly a wait.
func TestEachKeyMayDoWhatItsRoleSays(t *testing.T) {
	for _, user := range []string{"admission", "slotter", "classifier", "placer", "host-a", "ann", "olga", "dashboard"} {
		s := start(t)
		opened(t, s)
		t.Run(user, func(t *testing.T) {
			t.Parallel()
			j := &judge{t, t.Context(), as(t, s, "judge"), admin(t, s)}
			nc := as(t, s, user)
			before := j.seed()
			for _, a := range acts(j.last) {
				a.do(nc)
				must(t, nc.Flush())
				may := slices.Contains(strings.Fields(a.who), user)
				changed := j.changed(before, may)
				if may != changed {
					t.Errorf("%s: changed the pool = %v, want %v\n%s", a.name, changed, may, difference(before, j.look()))
				}
				if changed {
					j.clean()
					before = j.seed()
				}
			}
		})
	}
}

// changed reports whether an act changed the pool. It waits for an expected change. For an
// unexpected one it need not wait: each stream has already stored a later message.
func (j *judge) changed(before string, expected bool) bool {
	j.t.Helper()
	differs := func() bool { return j.look() != before }
	if expected {
		return poll.Until(5*time.Second, 5*time.Millisecond, differs)
	}
	must(j.t, j.nc.Flush())
	return differs()
}

// A key that may not read a subject does not receive its messages either.
func TestKeysHearOnlyTheirSubjects(t *testing.T) {
	s := start(t)
	opened(t, s)
	admission := as(t, s, "admission")
	_, err := admission.Subscribe("lull.default.submit.*", func(m *nats.Msg) { _ = m.Respond([]byte("for bob alone")) })
	must(t, err)
	host := as(t, s, "host-b")
	_, err = host.Subscribe(pool.Ticket("b"), func(m *nats.Msg) { _ = m.Respond([]byte("for bob alone")) })
	must(t, err)
	must(t, admission.Flush())
	must(t, host.Flush())

	ears := map[string]*nats.Subscription{}
	for _, user := range []string{"host-a", "ann", "olga", "dashboard"} {
		nc := as(t, s, user)
		ears[user], err = nc.SubscribeSync(">")
		must(t, err)
		must(t, nc.Flush())
		// Requests do not reach a host that answers on another host's subject.
		_, err := nc.Subscribe(pool.Ticket("b"), func(m *nats.Msg) { _ = m.Respond([]byte("forged")) })
		must(t, err)
		must(t, nc.Flush())
	}
	bob := as(t, s, "bob")
	for _, subject := range []string{pool.Submit(), pool.Ticket("b")} {
		replies, err := bob.SubscribeSync(bob.NewInbox())
		must(t, err)
		must(t, bob.PublishRequest(subject, replies.Subject, []byte("bob's secret")))
		for said := ""; said != "for bob alone"; {
			m, err := replies.NextMsg(5 * time.Second)
			must(t, err)
			if said = string(m.Data); said == "forged" {
				t.Errorf("reply to bob on %s = %q, want none from another key", subject, said)
			}
		}
	}
	// A message that all keys may receive comes last.
	judge := as(t, s, "judge")
	must(t, judge.Publish(pool.Usage("a"), []byte("news")))
	must(t, judge.Publish("lull.default.host.a.joined", []byte("news")))
	must(t, judge.Flush())
	for user, ear := range ears {
		m, err := ear.NextMsg(5 * time.Second)
		must(t, err)
		if string(m.Data) != "news" {
			t.Errorf("first message that %s received = %q on %s, want news", user, m.Data, m.Subject)
		}
	}
}
