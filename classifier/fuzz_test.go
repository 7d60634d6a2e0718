package classifier

import (
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/history"
)

// seedBlocks are blocks as agents and importers write them.
func seedBlocks() (bodies [][]byte) {
	for i, b := range []*history.Block{{}, {Origin: history.Import}} {
		from := history.Slot(monday.AddDate(0, 0, 10))
		if b.Origin == history.Import {
			from = history.WeekOf(from)
		}
		for at := range int64(history.PerDay) {
			s := history.Sample{Mean: uint16(at % 700), Peak: uint16(at%700 + 100), Memory: 300, Seconds: uint8(1 + at%120)}
			b.Put(from+at, s, history.Owner{Tenant: []string{"", "shop", "mail"}[(int(at)/100+i)%3], Cores: 8})
		}
		bodies = append(bodies, b.Append(nil))
	}
	return bodies
}

// FuzzHistory puts garbage into the stream of history, beside what an agent wrote. The classifier passes
// over what is no block. It learns from the rest, and its generation counts: each of its events fits
// the log, or the tenant is left out.
func FuzzHistory(f *testing.F) {
	for _, body := range seedBlocks() {
		f.Add("", body, uint8(3), uint16(0))
		f.Add("lull.default.history.h.2026031200", body, uint8(40), uint16(99))
		f.Add("lull.default.past.h.2026031200", body[:len(body)/2], uint8(0), uint16(7))
	}
	f.Fuzz(func(t *testing.T, subject string, body []byte, value uint8, at uint16) {
		w := newWorld(t)
		for d := range 4 {
			w.live("a", "", monday.AddDate(0, 0, 7+d), still)
		}
		for range 2 { // as it is, and with one byte changed
			w.receive(subject, body)
			if len(body) > 0 {
				body = append([]byte(nil), body...)
				body[int(at)%len(body)] = value
			}
		}
		w.now = monday.AddDate(0, 0, 11).Add(2 * time.Hour)
		ended := 0
		for range 4 {
			ended += len(w.settle())
			w.now = w.now.Add(refusedPause)
		}
		if ended == 0 || w.actor.tenants.Of("host:a") == nil {
			t.Errorf("generations = %d, host:a = %v, want at least 1 and the host known", ended, w.actor.tenants.Of("host:a"))
		}
		for e := range w.actor.tenants.All() {
			if err := e.Profile.Check(); err != nil {
				t.Errorf("%s: Check() = %v, want no error", e.Tenant, err)
			}
		}
	})
}

// receive takes a message of the stream as the shell does. Without a subject it has that of its
// block.
func (w *world) receive(subject string, body []byte) {
	var b history.Block
	if subject == "" && b.Decode(body) == nil {
		subject = history.Message(subjects.DefaultPool, "g", &b).Subject
	}
	if host, err := history.Read(subjects.DefaultPool, subject, body, &b); err == nil {
		w.kept.Put(host, &b, body)
	}
}
