package spec

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

const scan = "name: scan\nstages:\n  - name: look\n    command: \"true\"\n    tasks: 2\n"

func stageOf(t *testing.T, d *Doc) Stage {
	t.Helper()
	j, err := d.Job()
	if err != nil {
		t.Fatal(err)
	}
	return j.Stages[0]
}

func TestSourcesAreSortedAndNamedOnce(t *testing.T) {
	for text, want := range map[string][]string{
		"sources: filer1":                        {"filer1"},
		"sources: [nfs:b, nfs:a, nfs:b]":         {"nfs:a", "nfs:b"},
		"sources: []":                            nil,
		"bytes: 64MB\n    sources: [disk:h:sda]": {"disk:h:sda"},
	} {
		if got := stageOf(t, parse(t, scan+"    "+text+"\n")).Sources; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// Findings fill in what the document left out, and reach admission.
func TestReadingIsFilledInAndSent(t *testing.T) {
	for text, want := range map[string]Stage{
		"":                  {Bytes: 7, Sources: []string{"nfs:found"}},
		"    sources: []\n": {Bytes: 7},
		"    sources: mine\n    bytes: 2000000\n": {Bytes: 2_000_000, Sources: []string{"mine"}},
	} {
		d := parse(t, scan+text)
		d.FillReading(0, 7, []string{"nfs:found"})
		body, err := d.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if got := stageOf(t, parse(t, string(body))); got.Bytes != want.Bytes || !reflect.DeepEqual(got.Sources, want.Sources) {
			t.Errorf("%q: %d bytes from %q, want %d from %q", text, got.Bytes, got.Sources, want.Bytes, want.Sources)
		}
	}
}

func TestReadingIsBounded(t *testing.T) {
	many := make([]string, MaxSources+1)
	for i := range many {
		many[i] = fmt.Sprintf("node-%02d", i)
	}
	for path, spoil := range map[string]func(*Stage){
		"stages[0].bytes":      func(s *Stage) { s.Bytes = -1 },
		"stages[0].sources":    func(s *Stage) { s.Sources = many },
		"stages[0].sources[1]": func(s *Stage) { s.Sources = []string{"b", "a"} },
		"stages[0].sources[2]": func(s *Stage) { s.Sources = []string{"a", "b", "b"} },
		"stages[0].sources[0]": func(s *Stage) { s.Sources = []string{strings.Repeat("x", maxSource+1)} },
	} {
		j := valid(t)
		spoil(&j.Stages[0])
		if err := j.Validate(); err == nil || !strings.HasPrefix(err.Error(), path+":") {
			t.Errorf("Validate() = %v, want an error of %s", err, path)
		}
	}
	for _, name := range []string{"", "a b", "a,b", "a=b", "é", "a\n", "*"} {
		if DataNodeName(name) {
			t.Errorf("DataNodeName(%q) = true, want false", name)
		}
	}
}

func TestInputsMayBeURLs(t *testing.T) {
	split := func(path, tag string) error {
		return Split{Ranges: []Range{{Path: path, Tag: tag, Size: 9, Length: 9}}}.Validate()
	}
	if err := split("https://host:80/a?b=c", `"x"`); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"http://", "http:///a", "https://host/a b", "ftp://host/a", "http://h/" + strings.Repeat("x", maxPath)} {
		if split(bad, "") == nil {
			t.Errorf("an input %.40q is valid, want an error", bad)
		}
	}
	if split("http://h/a", "a\nb") == nil {
		t.Error("a tag of two lines is valid, want an error")
	}
}
