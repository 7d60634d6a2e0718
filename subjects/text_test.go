package subjects

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// Long texts from outside must not make an event too large for a message: a service
// would try to append it for ever.
func TestNoTextMakesAnEventLarge(t *testing.T) {
	for _, k := range Ledger.kinds {
		e := k.make()
		if s, ok := e.(*Submitted); ok {
			s.Spec = sample()
		}
		e.fill([]string{"x", "x", "x", "x"})
		long(reflect.ValueOf(e).Elem())
		m, err := Encode(DefaultPool, e)
		if err == nil && len(m.Body) > 64<<10 {
			t.Errorf("Encode(%T with long texts) = %d bytes, want at most 64 KiB", e, len(m.Body))
		}
	}
}

// long fills all strings of an event with long texts, except those of its subject and
// lists.
func long(v reflect.Value) {
	for i := range v.NumField() {
		f, kind := v.Field(i), v.Field(i).Kind()
		switch {
		case v.Type().Field(i).Tag.Get("msgpack") == "-" || v.Type().Field(i).Name == "Spec":
		case kind == reflect.Struct:
			long(f)
		case kind == reflect.String:
			f.SetString(strings.Repeat("\u00e9", 600_000))
		case kind == reflect.Slice && f.Type().Elem().Kind() == reflect.String:
			f.Set(reflect.ValueOf([]string{strings.Repeat("x", 600_000)}))
		}
	}
}

// A text in the log that is too long, because an older version wrote it, can be read.
func TestALongTextOfAnOlderLogIsShortened(t *testing.T) {
	old := &Rejected{Job: "j", Inbox: 7, Text: "x"}
	m, err := Encode(DefaultPool, old)
	if err != nil {
		t.Fatal(err)
	}
	body := strings.Replace(string(m.Body), "\xa1x", "\xdb\x00\x0a\x00\x00"+strings.Repeat("x", 10<<16), 1)
	e, err := Decode(DefaultPool, m.Subject, []byte(body))
	if r, ok := e.(*Rejected); !ok || err != nil || r.Inbox != 7 || len(r.Text) != MaxText {
		t.Errorf("Decode(a text beyond the bound) = %+v, %v, want a rejection with the text cut to %d bytes", e, err, MaxText)
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"short", "short"}, {"0123456789", "0123456789"}, {"0123456789a", "0123456…"},
		{"012345\u00e9\u00e9\u00e9", "012345…"}, {"01234\xff\xff\xff\xff\xff\xff", "01234…"},
	} {
		got := Clip(c.in, 10)
		if got != c.want || !utf8.ValidString(got) {
			t.Errorf("Clip(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}
