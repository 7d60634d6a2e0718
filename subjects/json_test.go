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
				t.Fatalf("%T: %v, %s", e, err, text)
			}
			if got["event"] != Kind(e) || got["seq"] != 7.0 || got["time"] != "1970-01-01T00:00:00Z" {
				t.Fatalf("%T: %s", e, text)
			}
			if _, leaked := got["token"]; leaked {
				t.Fatalf("%T shows a token: %s", e, text)
			}
		})
	}
}
