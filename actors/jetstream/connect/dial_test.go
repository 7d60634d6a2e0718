package connect

import (
	"strings"
	"testing"
)

func TestNoTokenIsShown(t *testing.T) {
	for urls, want := range map[string]string{
		"nats://host:4222":                         "nats://host:4222",
		"nats://T@host:4222":                       "nats://host:4222",
		"user:pass@host":                           "host",
		"nats://a:b@one:1,tls://c@d@two:2,three:3": "nats://one:1,tls://two:2,three:3",
	} {
		if got := Redacted(urls); got != want {
			t.Errorf("%s: %s, want %s", urls, got, want)
		}
	}
	_, err := Dial("nats://secret@127.0.0.1:1", "test", "")
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("Dial() = %v, want an error without the secret", err)
	}
}
