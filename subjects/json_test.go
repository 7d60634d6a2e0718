package subjects

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestJSONOfEveryKind(t *testing.T) {
	for _, k := range Ledger.kinds {
		rapid.Check(t, func(t *rapid.T) {
			e := k.make()
			draw(t, e)
			text, err := JSON(e, 7, time.Unix(0, 0))
			var got map[string]any
			if err != nil || json.Unmarshal(text, &got) != nil {
				t.Fatalf("JSON(%T) = %s, %v, want a JSON object", e, text, err)
			}
			if got["event"] != Kind(e) || got["seq"] != 7.0 || got["time"] != "1970-01-01T00:00:00Z" {
				t.Fatalf("JSON(%T) = %s, want event %s, seq 7 and time 1970-01-01T00:00:00Z", e, text, Kind(e))
			}
			if _, leaked := got["token"]; leaked {
				t.Fatalf("JSON(%T) = %s, want no token in it", e, text)
			}
		})
	}
}

// Every field of an event that holds a time is written as one.
func TestJSONWritesTimesAsText(t *testing.T) {
	at := time.Date(2026, 3, 16, 6, 0, 0, 0, time.UTC)
	for field, e := range map[string]Event{
		"soonest": &Admitted{Job: "j", Soonest: at.UnixNano()}, "latest": &Admitted{Job: "j", Latest: at.UnixNano()},
		"until": &Trying{Job: "j", Until: at.UnixNano()}, "from": &Harmed{Host: "h", From: at.UnixNano()}, "to": &Harmed{Host: "h", To: at.UnixNano()},
		"deadline": &Submitted{Job: "j", Deadline: at.UnixNano()}, "at": &PoolClassified{At: at.UnixNano()},
	} {
		text, err := JSON(e, 7, at)
		var got map[string]any
		if err != nil || json.Unmarshal(text, &got) != nil || got[field] != "2026-03-16T06:00:00Z" {
			t.Errorf("JSON of a time in %s = %s, %v, want 2026-03-16T06:00:00Z", field, text, err)
		}
	}
}
