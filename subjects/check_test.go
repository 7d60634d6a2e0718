package subjects

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTokensAreStrict(t *testing.T) {
	for _, bad := range []string{"", "a.b", "a*", ">", "a b", "a\tb", "$SYS", "é", strings.Repeat("a", maxToken+1), "a/b", `a\b`, "a\x00"} {
		if m, err := Encode("p", &Left{Host: bad}); err == nil {
			t.Errorf("Encode(Left{Host: %q}) = subject %q, want an error", bad, m.Subject)
		}
		if m, err := Encode("p", &Revoked{Host: "h", Job: bad}); err == nil {
			t.Errorf("Encode(Revoked{Job: %q}) = subject %q, want an error", bad, m.Subject)
		}
		if CheckToken("host", Token(bad)) != nil {
			t.Errorf("Token(%q) = %q, want a token", bad, Token(bad))
		}
	}
	if _, err := Decode("p", "lull.p.host.$SYS.left", []byte{0x80}); err == nil || errors.Is(err, ErrUnknownKind) {
		t.Errorf("Decode(a known subject with a bad token) = %v, want an error other than ErrUnknownKind", err)
	}
}

func TestHostileValuesAreRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, e := range []Event{
		&Assigned{Host: "h", Job: "j"},
		&Assigned{Host: "h", Job: "j", Width: MaxWidth + 1},
		&Assigned{Host: "h", Job: "j", Width: 1, Why: Why{Residual: nan}},
		&Joined{Host: "h", Slots: MaxSlots + 1},
		&Joined{Host: "h", Cores: MaxCores + 1},
		&Joined{Host: "h", Memory: -1},
		&Finished{Host: "h", Job: "j", Run: Run{Seconds: -1}},
		&Finished{Host: "h", Job: "j", Run: Run{Residual: 1.5}},
		&Failed{Host: "h", Job: "j", Run: Run{CPU: inf}},
		&Evicted{Host: "h", Job: "j", Run: Run{In: -1}},
		&Evicted{Host: "h", Job: "j", Kept: -1},
		&Started{Host: "h", Job: "j", Residual: nan},
		&Fitted{Type: "t", A: inf},
		&Fitted{Type: "t", B: 1e6},
		&Fitted{Type: "t", C: -1},
		&Lost{Host: "h", Silence: nan},
		&Admitted{Job: "j", Slack: nan},
		&Endangered{Job: "j", Slack: -inf},
		&JobFinished{Job: "j", Totals: Totals{CPU: -1}},
		&JobFailed{Job: "j", Totals: Totals{Seconds: nan}},
		&Submitted{Job: "j"},
		&Revoked{Host: "h", Job: "j", For: "a.b"},
		&Paced{Host: "h", Job: "j", For: []string{"a b"}},
		&Paced{Host: "h", Job: "j", For: []string{"a", "b", "c", "d"}},
	} {
		if _, err := Encode("p", e); err == nil {
			t.Errorf("Encode(%+v) succeeded, want an error", e)
		}
		body, err := Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode("p", Pool("p").subject(e.route()...), body); err == nil {
			t.Errorf("Decode(the bytes of %+v) succeeded, want an error", e)
		}
	}
}

func TestHostileSamplesAreRefused(t *testing.T) {
	for _, s := range []Telemetry{
		&Usage{Host: "h", Primary: math.NaN()},
		&Usage{Host: "h", Idle: math.Inf(1)},
		&Usage{Host: "h", Batch: -1},
		&Usage{Host: "h", Cores: MaxCores + 1},
		&Usage{Host: "h", MemoryFree: -1},
		&Usage{Host: "h", IOPressure: 2},
		&Usage{Host: "h", Age: -1},
		&Usage{Host: "h", Guarded: strings.Repeat("x", 1<<16)},
		&Beat{Host: "h", Boot: strings.Repeat("x", 1<<16)},
		&Beat{Host: "h", Attempts: []uint64{3, 2}},
		&Beat{Host: "h", Attempts: make([]uint64, maxAttempts+1)},
		&Speeds{Host: "h", Tasks: []Speed{{Attempt: 3}, {Attempt: 3}}},
		&Speeds{Host: "h", Tasks: []Speed{{Attempt: 3, Rate: math.NaN()}}},
		&Speeds{Host: "h", Tasks: []Speed{{Attempt: 3, Cap: -1}}},
		&Speeds{Host: "h", Tasks: make([]Speed, maxSpeeds+1)},
	} {
		body, err := Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		about, host := s.from()
		if _, err := DecodeTelemetry("p", Pool("p").subject(about, host), body); err == nil {
			t.Errorf("DecodeTelemetry(the bytes of %+v) succeeded, want an error", s)
		}
	}
}

// Every number of an event or a sample is bounded, so that sums and percentages of some are numbers, too. Only the
// factors of a fitted curve may be as large as numbers go: package tct bounds what follows from them.
func TestEveryNumberIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, k := range Ledger.kinds {
			e := k.make()
			draw(t, e)
			eachNumber(reflect.ValueOf(e).Elem(), "", func(name string, most []float64, set func(float64)) {
				for _, x := range most {
					set(x)
					if _, err := Encode("p", e); err == nil {
						t.Errorf("%T with %s of %v is encoded, want an error", e, name, x)
					}
				}
			})
		}
		for _, s := range []Telemetry{&Usage{}, &Beat{}, &Speeds{}} {
			draw(t, s)
			eachNumber(reflect.ValueOf(s).Elem(), "", func(name string, most []float64, set func(float64)) {
				for _, x := range most {
					set(x)
					if _, err := EncodeTelemetry("p", s); err == nil {
						t.Errorf("%T with %s of %v is encoded, want an error", s, name, x)
					}
				}
			})
		}
	})
}

// eachNumber calls do for each float below a value, with numbers that it must not have. The value is as before
// afterwards.
func eachNumber(v reflect.Value, name string, do func(name string, most []float64, set func(float64))) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			eachNumber(v.Field(i), v.Type().Field(i).Name, do)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachNumber(v.Index(i), name, do)
		}
	case reflect.Float64:
		most := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300}
		if name == "A" || name == "C" {
			most = most[:3]
		}
		before := v.Float()
		do(name, most, v.SetFloat)
		v.SetFloat(before)
	}
}
