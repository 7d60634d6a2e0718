package subjects

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func TestEveryKindComesBackAsItWent(t *testing.T) {
	for _, k := range Ledger.kinds {
		t.Run(k.about+"."+k.verb, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				e := k.make()
				draw(t, e)
				m, err := Encode("pool-1", e)
				if err != nil {
					t.Fatal(err)
				}
				got, err := Decode("pool-1", m.Subject, m.Body)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, e) {
					t.Fatalf("%s: got %+v, want %+v", m.Subject, got, e)
				}
			})
		})
	}
}

func TestTelemetryComesBackAsItWent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, sample := range []Telemetry{new(Usage), new(Beat), new(Speeds)} {
			draw(t, sample)
			m, err := EncodeTelemetry("p", sample)
			if err != nil {
				t.Fatal(err)
			}
			got, err := DecodeTelemetry("p", m.Subject, m.Body)
			if err != nil || !reflect.DeepEqual(got, sample) {
				t.Fatalf("%s: got %+v, %v, want %+v", m.Subject, got, err, sample)
			}
		}
	})
}

func TestUnknownFieldsAreIgnored(t *testing.T) {
	body, err := Marshal(map[string]any{"term": 7, "future": []any{1, map[string]any{"a": "b"}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode("p", "lull.p.host.a.left", body)
	if want := (&Left{Host: "a", Term: 7}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Decode(%q) = %+v, %v, want %+v", body, got, err, want)
	}
}
