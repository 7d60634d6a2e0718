package subjects

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// Long texts from outside must not make an event too large for a message, or fill the memory of its readers: a
// service would try to append it for ever.
func TestNoTextMakesAnEventLarge(t *testing.T) {
	for _, k := range Ledger.kinds {
		for i := range len(textsOf(reflect.ValueOf(k.make()).Elem())) {
			e := k.make()
			e.fill([]string{"x", "x", "x", "x"})
			switch e := e.(type) {
			case *Submitted:
				e.Spec = sample()
			case *Assigned:
				e.Width = 1
			}
			lengthen(textsOf(reflect.ValueOf(e).Elem())[i])
			m, err := Encode(DefaultPool, e)
			if err == nil && len(m.Body) > 64<<10 {
				t.Errorf("Encode(%T with a long text) = %d bytes, want at most 64 KiB: %.40s…", e, len(m.Body), m.Body)
			}
		}
	}
}

// textsOf are the texts of an event, and its lists of texts, except those of its subject and of a job's document.
func textsOf(v reflect.Value) (all []reflect.Value) {
	for i := range v.NumField() {
		f, kind := v.Field(i), v.Field(i).Kind()
		switch {
		case v.Type().Field(i).Tag.Get("msgpack") == "-" || v.Type().Field(i).Name == "Spec":
		case kind == reflect.Struct:
			all = append(all, textsOf(f)...)
		case kind == reflect.String, kind == reflect.Slice && f.Type().Elem().Kind() == reflect.String:
			all = append(all, f)
		}
	}
	return all
}

func lengthen(v reflect.Value) {
	if v.Kind() == reflect.String {
		v.SetString(strings.Repeat("\u00e9", 600_000))
		return
	}
	v.Set(reflect.ValueOf([]string{strings.Repeat("x", 600_000)}))
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
