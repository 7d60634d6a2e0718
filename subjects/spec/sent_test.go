package spec

import (
	"strings"
	"testing"
)

// Any client may store any bundle and name it in a job: none may lead out of a task's folder.
func TestBundlesStayInTheirFolder(t *testing.T) {
	file := func(path string) Entry { return Entry{Path: path, Mode: 0o644} }
	link := func(path, target string) Entry { return Entry{Path: path, Link: target} }
	dir := func(path string) Entry { return Entry{Path: path, Folder: true} }
	for name, c := range map[string]struct {
		entries []Entry
		says    string // "" for a good one
	}{
		"files, folders and links": {[]Entry{dir("d"), link("d/up", "../f"), link("d/x", "y"), file("d/y"), file("f")}, ""},
		"up":                       {[]Entry{file("../x")}, "leads out"},
		"up below":                 {[]Entry{dir("d"), file("d/../../x")}, "leads out"},
		"absolute":                 {[]Entry{file("/etc/x")}, "absolute"},
		"NUL":                      {[]Entry{file("a\x00b")}, "NUL"},
		"empty":                    {[]Entry{file("")}, "the folder itself"},
		"dot":                      {[]Entry{file("./x")}, "detour"},
		"doubled slash":            {[]Entry{dir("a"), file("a//x")}, "detour"},
		"long name":                {[]Entry{file(strings.Repeat("x", 256))}, "too long"},
		"no UTF-8":                 {[]Entry{file("\xff")}, "UTF-8"},
		"twice":                    {[]Entry{file("a"), file("a")}, "sent twice"},
		"no folder":                {[]Entry{file("a/x")}, "no folder"},
		"below a file":             {[]Entry{file("a"), file("a/x")}, "no folder"},
		"below a link":             {[]Entry{link("a", "b"), file("a/x")}, "no folder"},
		"link out":                 {[]Entry{link("a", "../x")}, "out of what is sent"},
		"absolute link":            {[]Entry{link("a", "/etc/passwd")}, "out of what is sent"},
		"link by another link":     {[]Entry{link("a", "."), link("b", "a/../x")}, "out of what is sent"},
		"link with NUL":            {[]Entry{link("a", "b\x00")}, "out of what is sent"},
		"setuid":                   {[]Entry{{Path: "a", Mode: 0o4755}}, "mode 4755"},
		"all at once":              {[]Entry{{Path: "a", Link: "b", Folder: true}}, "at once"},
		"too much":                 {[]Entry{{Path: "a", Body: make([]byte, MaxSent+1)}}, "at most 10000000"},
		"too many":                 {make([]Entry, MaxEntries+1), "at most 2000"},
	} {
		err := (&Bundle{Entries: c.entries}).Validate()
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: got %v, want %q", name, err, c.says)
		}
	}
}

func TestNamesOfSentFilesAreChecked(t *testing.T) {
	name := SummedList(strings.Repeat("ab", 32))
	for sent, says := range map[string]string{
		`[{content: ` + name + `, names: [a, b/]}]`:                             "",
		`[{content: ../x}]`:                                                     "not the name of files",
		`[{content: ` + name + `, names: ["a\nb"]}]`:                            "cannot be the name",
		`[` + strings.Repeat(`{content: `+name+`},`, 3) + `]`:                   "at most 2",
		`[{content: ` + name + `, names: [` + strings.Repeat("x, ", 65) + `]}]`: "at most 64",
	} {
		d, err := Parse([]byte(`{name: j, stages: [{name: a, command: x, sent: ` + sent + `}]}`))
		if err == nil {
			_, err = d.Job()
		}
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%.90s: got %v, want %q", sent, err, says)
		}
	}
}

// What is left to be read on the submitting machine is no job yet.
func TestFilesMustBeSentFirst(t *testing.T) {
	for _, text := range []string{`{name: j, files: x, stages: [{name: a, command: x}]}`, `{name: j, stages: [{name: a, command: x, files: [x]}]}`} {
		d, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Job(); err == nil || !strings.Contains(err.Error(), "lull submit") {
			t.Errorf("Job(%s) = %v, want an error that advises lull submit", text, err)
		}
	}
}

func TestFilesAreRead(t *testing.T) {
	d, err := Parse([]byte("name: j\nfiles: [run.sh, lib/, {from: ./c/x.yaml, to: ./conf.yaml, mode: 0755}]\nstages: [{name: a, command: x, files: '${D}/y'}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Substitute(func(string) (string, bool) { return "dd", true }); err != nil || d.Stages[0].Files[0].From != "dd/y" {
		t.Errorf("Substitute = %+v, %v, want from: dd/y", d.Stages[0].Files, err)
	}
	f := d.Files[2]
	if bits, err := f.Bits(); bits != 0o755 || err != nil || f.To != "conf.yaml" || d.Files[1].From != "lib/" {
		t.Errorf("file %+v with bits %o, %v, want to: conf.yaml with 755, and lib/ before it", f, bits, err)
	}
	for _, bad := range []string{`{to: x}`, `{from: x, to: ../x}`, `{from: x, to: /x}`, `{from: x, mode: 9}`, `{from: x, mode: 07755}`, `{from: x, mode: 0}`, `""`, `{from: x, to: "a\0b"}`} {
		if _, err := Parse([]byte(`{name: j, files: [` + bad + `], stages: [{name: a, command: x}]}`)); err == nil {
			t.Errorf("Parse(files: %s) succeeded, want an error", bad)
		}
	}
}
