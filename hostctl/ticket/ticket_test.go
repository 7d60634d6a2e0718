package ticket

import (
	"encoding/base64"
	"testing"
	"time"
)

func TestTickets(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	office := New("a")
	good, until := office.Issue(now)
	if until.Sub(now) != Life || !office.Check(good, now) || !office.Check(good, until) {
		t.Errorf("Check(until %v) = false, want a ticket good for %v", until, Life)
	}
	if office.Check(good, until.Add(time.Second)) {
		t.Error("Check(after its end) = true, want false")
	}
	if New("a").Check(good, now) || New("b").Check(good, now) {
		t.Error("Check(another process) = true, want false")
	}
	raw, err := base64.RawURLEncoding.DecodeString(good)
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		raw[i] ^= 1
		if office.Check(base64.RawURLEncoding.EncodeToString(raw), now) {
			t.Errorf("Check(byte %d changed) = true, want false", i)
		}
		raw[i] ^= 1
	}
	for _, bad := range []string{"", "guess", good[:len(good)-4], good + "AAAA"} {
		if office.Check(bad, now) {
			t.Errorf("Check(%q) = true, want false", bad)
		}
	}
}
