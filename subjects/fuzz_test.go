package subjects

import (
	"bytes"
	"reflect"
	"testing"
)

var bombs = [][]byte{
	{0xdd, 0xff, 0xff, 0xff, 0xff, 0x01},
	{0xdf, 0xff, 0xff, 0xff, 0xff, 0x01, 0x01},
	{0x81, 0xa4, 's', 'p', 'e', 'c', 0x81, 0xa6, 's', 't', 'a', 'g', 'e', 's', 0xdd, 0xff, 0xff, 0xff, 0xff},
	bytes.Repeat([]byte{0x91}, 100_000),
	bytes.Repeat([]byte{0x81, 0xa1, 'a'}, 100_000),
}

// FuzzDecode: no bytes make Decode panic, and what it accepts can be encoded again.
func FuzzDecode(f *testing.F) {
	for _, e := range golden() {
		m, err := Encode("p", e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(m.Subject, m.Body)
		for _, b := range bombs {
			f.Add(m.Subject, b)
		}
	}
	f.Fuzz(func(t *testing.T, subject string, body []byte) {
		e, err := Decode("p", subject, body)
		if err != nil {
			return
		}
		m, err := Encode("p", e)
		if err != nil || m.Subject != subject {
			t.Fatalf("Encode(%+v) = subject %q, %v, want %q, which was decoded", e, m.Subject, err, subject)
		}
		again, err := Decode("p", m.Subject, m.Body)
		if err != nil || !reflect.DeepEqual(again, e) {
			t.Fatalf("Decode(Encode(%+v)) = %+v, %v, want it back", e, again, err)
		}
	})
}

func FuzzDecodeTelemetry(f *testing.F) {
	for _, b := range append(bombs, []byte{0x80}) {
		f.Add("lull.p.usage.h", b)
		f.Add("lull.p.beat.h", b)
	}
	f.Fuzz(func(t *testing.T, subject string, body []byte) {
		if s, err := DecodeTelemetry("p", subject, body); err == nil {
			if _, err := EncodeTelemetry("p", s); err != nil {
				t.Fatalf("EncodeTelemetry(%+v), which was decoded, = %v, want no error", s, err)
			}
		}
	})
}

func FuzzDecodeRequest(f *testing.F) {
	for _, b := range append(bombs, []byte(`{"job":"a"}`), []byte("\x81\xa3job\xa1a"), bytes.Repeat([]byte(`{"job":`), 10_000)) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if r, err := DecodeRequest(body); err == nil && CheckToken("job", r.Job) != nil {
			t.Fatalf("DecodeRequest(%q) has job %q, want a token or an error", body, r.Job)
		}
	})
}
