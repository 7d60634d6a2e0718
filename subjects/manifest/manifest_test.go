package manifest

import (
	"testing"

	"lull/subjects"
)

func TestALinkStaysInside(t *testing.T) {
	for _, c := range []struct {
		at, target string
		want       bool
	}{
		{"latest", "v1", true}, {"latest", "./v1/", true}, {"a/b/c", "../../x", true}, {"a/b", "..", true}, {"x", "a//b", true},
		{"latest", "", false}, {"latest", "/v1", false}, {"latest", "..", false}, {"a/b", "../../x", false},
		{"a/b", "c/../../x", false}, {"x", "a/../b", false}, {"x", "a\nb", false}, {"x", "a\x00", false}, {"x", "\xff", false},
	} {
		if got := Inside(c.at, c.target); got != c.want {
			t.Errorf("Inside(%q, %q) = %v, want %v", c.at, c.target, got, c.want)
		}
	}
}

func file(path string) File { return File{Path: path, Sum: make([]byte, 32), Mode: 0o444} }

// A host that lies could have a reader write elsewhere, through a link that it has made before.
func TestNothingLiesBehindALink(t *testing.T) {
	link := File{Path: "a", Link: "b"}
	for name, files := range map[string][]File{
		"file behind a link":   {link, file("a/x")},
		"file before the link": {file("a/b/c"), link},
		"link behind a link":   {link, {Path: "a/l", Link: "x"}},
		"folder behind a link": {link, {Path: "a/f", Folder: true}},
		"twice":                {file("a"), link},
		"link out":             {{Path: "a", Link: "../b"}},
		"link with bytes":      {{Path: "a", Link: "b", Size: 1}},
		"folder with a mode":   {{Path: "a", Folder: true, Mode: 0o755}},
		"folder and link":      {{Path: "a", Folder: true, Link: "b"}},
		"no kind":              {{Path: "a"}},
	} {
		b, digest, err := Manifest{Files: files}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(b, digest); err == nil {
			t.Errorf("%s: Decode() = nil error, want an error", name)
		}
	}
	good := []File{{Path: "a", Link: "b"}, file("ab/c"), {Path: "b", Folder: true}}
	b, digest, err := Manifest{Files: good}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if m, err := Decode(b, digest); err != nil || len(m.Files) != len(good) || m.Files[0].Link != "b" || !m.Files[2].Folder {
		t.Errorf("Decode() = %+v, %v, want %+v", m, err, good)
	}
}

// Earlier releases know only files, and refuse one without a checksum.
func TestEarlierReleasesRefuseLinksAndFolders(t *testing.T) {
	type early struct {
		Files []struct {
			Path string `msgpack:"path"`
			Sum  []byte `msgpack:"sum"`
		} `msgpack:"files"`
	}
	b, _, err := Manifest{Files: []File{{Path: "a", Link: "b"}, {Path: "c", Folder: true}}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	var m early
	if err := subjects.Unmarshal(b, &m); err != nil || len(m.Files) != 2 || len(m.Files[0].Sum)+len(m.Files[1].Sum) != 0 {
		t.Errorf("an earlier release reads %+v (%v), want two files without a checksum", m, err)
	}
}

func TestLookupFollowsLinksByName(t *testing.T) {
	m := Manifest{Files: []File{
		{Path: "d/e/part-1", Sum: make([]byte, 32)}, {Path: "l", Link: "d/e"}, {Path: "loop", Link: "loop"},
		{Path: "part-0", Link: "l/part-1"}, file("part-2"), {Path: "part-3", Link: "part-0"}, {Path: "part-4", Link: "nothing"},
	}}
	for at, want := range map[string]string{"part-0": "d/e/part-1", "part-2": "part-2", "part-3": "d/e/part-1", "part-4": "", "loop": "", "x": ""} {
		if f, ok := m.Lookup(at); ok != (want != "") || f.Path != want {
			t.Errorf("Lookup(%s) = %q, %v, want %q", at, f.Path, ok, want)
		}
	}
}
