package bundle

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

// tree makes files with the content of their names; those that end with .sh can be executed.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range names {
		path, mode := filepath.Join(folder, name), os.FileMode(0o600)
		if strings.HasSuffix(name, ".sh") {
			mode = 0o700
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), mode); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func list(b *spec.Bundle) string {
	var all []string
	for _, e := range b.Entries {
		switch {
		case e.Folder:
			all = append(all, e.Path+"/")
		case e.Link != "":
			all = append(all, e.Path+"->"+e.Link)
		case e.Mode == 0o644:
			all = append(all, e.Path)
		default:
			all = append(all, e.Path+"*")
		}
	}
	return strings.Join(all, " ")
}

func from(names ...string) (files []spec.DocFile) {
	for _, name := range names {
		files = append(files, spec.DocFile{From: name})
	}
	return files
}

func TestFilesKeepTheirPlace(t *testing.T) {
	outside := tree(t, "o/p.txt")
	folder := tree(t, "run.sh", "lib/a.py", "lib/deep/b.py", "conf/x.yaml", "z/[1].txt")
	if err := os.Symlink("deep/b.py", filepath.Join(folder, "lib/link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../conf/x.yaml", filepath.Join(folder, "lib/up")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		files []spec.DocFile
		want  string
		names string
	}{
		{from("run.sh", "./lib/"), "lib/ lib/a.py lib/deep/ lib/deep/b.py lib/link->deep/b.py lib/up->../conf/x.yaml run.sh*", "lib/ run.sh"},
		{from("conf/x.yaml", "lib/deep"), "conf/ conf/x.yaml lib/ lib/deep/ lib/deep/b.py", "conf/x.yaml lib/deep/"},
		{[]spec.DocFile{{From: "conf/x.yaml", To: "a/b", Mode: "0755"}}, "a/ a/b*", "a/b"},
		{from("**/*.py", "z/[1].txt"), "lib/ lib/a.py lib/deep/ lib/deep/b.py z/ z/[1].txt", "lib/a.py lib/deep/b.py z/[1].txt"},
		{from(filepath.Join(outside, "o")), "o/ o/p.txt", "o/"},
		{from("lib/up"), "lib/ lib/up", "lib/up"}, // a link that is named is followed
		{from("lib", "lib/a.py"), "", ""},
		{from("run.sh", "run.sh"), "", ""},
	} {
		b, names, err := Pack(t.Context(), folder, c.files, spec.MaxSent)
		if c.want == "" {
			if err == nil || !strings.Contains(err.Error(), "sent twice") {
				t.Errorf("Pack(%v) = %v, want an error: sent twice", c.files, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("Pack(%v) = %v, want no error", c.files, err)
		} else if got := list(b); got != c.want || strings.Join(names, " ") != c.names {
			t.Errorf("%v packs %q as %q, want %q as %q", c.files, got, names, c.want, c.names)
		}
	}
}

// Equal content is equal bytes, whatever the umask and the times are.
func TestPackingIsCanonical(t *testing.T) {
	names := []string{"run.sh", "lib/a", "lib-b", "lib/c/d"}
	first, second := tree(t, names...), tree(t, names...)
	if err := os.Chmod(filepath.Join(second, "lib-b"), 0o664); err != nil {
		t.Fatal(err)
	}
	a, _, err := Pack(t.Context(), first, from("lib", "run.sh", "lib-b"), spec.MaxSent)
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := Pack(t.Context(), second, from("lib-b", "lib", "run.sh"), spec.MaxSent)
	if err != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("Pack of the same files elsewhere = %q, %v, want %q", list(b), err, list(a))
	}
}

func TestWhatCannotBeSent(t *testing.T) {
	folder := tree(t, "f", "out/x", "abs/x", "pipes/x")
	for target, link := range map[string]string{"../../x": "out/l", "/etc/passwd": "abs/l"} {
		if err := os.Symlink(target, filepath.Join(folder, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(folder, "pipes/p"), 0o644); err != nil {
		t.Fatal(err)
	}
	for says, f := range map[string]spec.DocFile{
		"does not exist":         {From: "absent"},
		"matches no file":        {From: "*.absent"},
		"no valid pattern":       {From: "["},
		`"../../x", out of what`: {From: "out"},
		`"/etc/passwd", out of`:  {From: "abs"},
		"no regular file":        {From: "pipes"},
		"mode is for files":      {From: "out", Mode: "0755"},
		"cannot all be":          {From: "{f,out}", To: "x"},
	} {
		if _, _, err := Pack(t.Context(), folder, []spec.DocFile{f}, spec.MaxSent); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: got %v, want %q", f, err, says)
		}
	}
	if _, _, err := Pack(t.Context(), folder, from("f"), 0); err == nil || !strings.Contains(err.Error(), "f these are more than 10 MB") {
		t.Errorf("Pack with no room left = %v, want an error that names f and 10 MB", err)
	}
	if b, _, err := Pack(t.Context(), folder, from("f"), 1); err != nil || b.Bytes() != 1 {
		t.Errorf("Pack with just enough room = %d bytes, %v, want 1", b.Bytes(), err)
	}
}

// The largest bundle that is valid fits into what hosts read.
func TestALargeBundleIsRead(t *testing.T) {
	long := strings.Repeat("x", 255) + "/" + strings.Repeat("y", 247)
	b := spec.Bundle{Entries: []spec.Entry{{Path: long[:255], Folder: true}}}
	for i := range spec.MaxEntries - 1 {
		b.Entries = append(b.Entries, spec.Entry{Path: fmt.Sprintf("%s%08d", long, i), Mode: 0o777, Body: make([]byte, spec.MaxSent/spec.MaxEntries)})
	}
	if err := b.Validate(); err != nil {
		t.Fatal(err)
	}
	body, err := subjects.Marshal(b)
	if err != nil || len(body) > spec.MaxBundle || spec.MaxBundle > spec.MaxChunk {
		t.Errorf("bundle = %d bytes, %v, want at most %d, of %d that are read", len(body), err, spec.MaxBundle, spec.MaxChunk)
	}
}
