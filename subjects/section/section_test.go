package section

import (
	"errors"
	"strings"
	"testing"

	"lull/subjects"
)

type before struct {
	Count int `msgpack:"count"`
}

type now struct {
	Total int    `msgpack:"total"`
	Note  string `msgpack:"note,omitempty"`
}

// kind is at version 3: version 1 had a count, 2 a total, 3 has an optional note.
var kind = Kind{Name: "a", Version: 3, Ways: Ways{
	1: doubled,
	2: nil,
}}

// doubled makes the bytes of version 2 from those of version 1.
func doubled(body []byte) ([]byte, error) {
	var old before
	if err := subjects.Unmarshal(body, &old); err != nil {
		return nil, err
	}
	return subjects.Marshal(&now{Total: 2 * old.Count})
}

func packed(t *testing.T, list ...Section) []byte {
	t.Helper()
	b, err := Pack(list)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func body(t *testing.T, v any) []byte {
	t.Helper()
	b, err := subjects.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestEveryVersionBeforeIsRead(t *testing.T) {
	for version, b := range map[int][]byte{1: body(t, before{21}), 2: body(t, now{Total: 42}), 3: body(t, now{Total: 42})} {
		var got now
		err := Read(packed(t, Section{Name: "a", Version: version, Body: b}), nil, Part{kind, &got})
		if err != nil || got != (now{Total: 42}) {
			t.Errorf("Read(version %d) = %+v, %v, want total 42", version, got, err)
		}
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	b, err := Write(Part{kind, &now{1, "x"}}, Part{Kind{Name: "more", Version: 1, Optional: true}, &before{2}})
	if err != nil {
		t.Fatal(err)
	}
	var got now
	if err := Read(b, nil, Part{kind, &got}); err != nil || got != (now{1, "x"}) {
		t.Errorf("Read beside an optional section = %+v, %v, want {1 x}", got, err)
	}
}

func TestWhatOnlyANewerVersionReads(t *testing.T) {
	fine := Section{Name: "a", Version: 3, Body: body(t, now{})}
	for name, b := range map[string][]byte{
		"a newer section":          packed(t, Section{Name: "a", Version: 4, Body: body(t, now{})}),
		"an unknown section":       packed(t, fine, Section{Name: "b", Version: 1}),
		"another form of the list": append([]byte("LULL\x02"), packed(t, fine)[5:]...),
	} {
		if err := Read(b, nil, Part{kind, &now{}}); !errors.Is(err, ErrNewer) {
			t.Errorf("%s: got %v, want ErrNewer", name, err)
		}
	}
}

func TestUnreadableSections(t *testing.T) {
	fine := Section{Name: "a", Version: 3, Body: body(t, now{})}
	for name, b := range map[string][]byte{
		"nothing":              nil,
		"no sections":          body(t, now{}),
		"the magic alone":      []byte("LULL"),
		"a bomb":               []byte("LULL\x01\xdd\xff\xff\xff\xff\x01"),
		"no way from there":    packed(t, Section{Name: "a", Version: 0, Body: body(t, now{})}),
		"a section is missing": packed(t),
		"a section twice":      packed(t, fine, fine),
		"a damaged section":    packed(t, Section{Name: "a", Version: 3, Body: []byte{0xc1}}),
	} {
		if err := Read(b, nil, Part{kind, &now{}}); err == nil || errors.Is(err, ErrNewer) {
			t.Errorf("%s: got %v, want an error that is not ErrNewer", name, err)
		}
	}
}

func TestBytesFromBeforeSectionsAreCut(t *testing.T) {
	old := func(b []byte) ([]Section, error) { return []Section{{Name: "a", Version: 1, Body: b}}, nil }
	var got now
	if err := Read(body(t, before{21}), old, Part{kind, &got}); err != nil || got.Total != 42 {
		t.Errorf("Read(a snapshot before sections) = %+v, %v, want total 42", got, err)
	}
	if err := Read(packed(t, Section{Name: "a", Version: 2, Body: body(t, now{Total: 1})}), old, Part{kind, &got}); err != nil || got.Total != 1 {
		t.Errorf("Read(a snapshot in sections) = %+v, %v, want total 1", got, err)
	}
}

func TestAFailedWaySaysWhere(t *testing.T) {
	err := Read(packed(t, Section{Name: "a", Version: 1, Body: []byte{0xc1}}), nil, Part{kind, &now{}})
	if err == nil || !strings.Contains(err.Error(), "from version 1 to 2") {
		t.Errorf("Read(garbage of version 1) = %v, want an error that names versions 1 and 2", err)
	}
}
