package pin

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lull/subjects/spec"
)

// tree makes files (and folders, where a name ends with a slash) in a new folder.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "of [many] {things}*") // nothing here is a wildcard
	for _, name := range names {
		path := filepath.Join(folder, name)
		parent, isFolder := strings.CutSuffix(folder+"/"+name, "/")
		if !isFolder {
			parent = filepath.Dir(path)
		}
		if err := os.MkdirAll(parent, 0o755); err != nil {
			t.Fatal(err)
		}
		if isFolder {
			continue
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestFilesMatch(t *testing.T) {
	folder := tree(t, "b.txt", "a.txt", "c.go", "sub/d.txt", "sub/deep/e.txt", "sub/f.go", "[x].txt", ".hidden")
	if err := os.Symlink(filepath.Join(folder, "c.go"), filepath.Join(folder, "link.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(folder, "dangling.txt")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ patterns, want string }{
		{"a.txt", "a.txt"},
		{"*.txt", "[x].txt a.txt b.txt link.txt"},
		{"**/*.txt", "[x].txt a.txt b.txt link.txt sub/d.txt sub/deep/e.txt"},
		{"sub/**", "sub/d.txt sub/deep/e.txt sub/f.go"},
		{"{a,b}.txt", "a.txt b.txt"},
		{"[ab].txt", "a.txt b.txt"},
		{`\[x\].txt`, "[x].txt"},
		{`[[]x].txt`, "[x].txt"},
		{"./sub/../c.go", "c.go"},
		{"b.txt *.txt a.txt", "[x].txt a.txt b.txt link.txt"},
	} {
		got, err := Files(t.Context(), folder, strings.Fields(c.patterns))
		if err != nil {
			t.Errorf("Files(%s) = %v, want no error", c.patterns, err)
			continue
		}
		var names []string
		for _, f := range got.Files {
			name, _ := filepath.Rel(folder, f.Path)
			names = append(names, name)
		}
		if strings.Join(names, " ") != c.want {
			t.Errorf("%s matches %q, want %s", c.patterns, names, c.want)
		}
	}
}

// TestInputsMayBeOfAnyYear: nanoseconds since 1970 are negative before it, and no longer fit after 2262.
func TestInputsMayBeOfAnyYear(t *testing.T) {
	folder := tree(t, "a.txt")
	path := filepath.Join(folder, "a.txt")
	for _, year := range []int{1930, 1970, 2300} {
		at := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		got, err := Files(t.Context(), "/", []string{escape(path)})
		if err != nil {
			t.Fatal(err)
		}
		f := got.Files[0]
		split := spec.Split{Ranges: []spec.Range{{Path: f.Path, Size: f.Size, MTime: f.MTime, Length: f.Size}}}
		if err := split.Validate(); err != nil {
			t.Errorf("Validate(a file of the year %d) = %v, want no error", year, err)
		}
	}
}

// TestALinkThatLeadsBackToItselfIsNoFile: like one that leads nowhere, it is passed over.
func TestALinkThatLeadsBackToItselfIsNoFile(t *testing.T) {
	folder := tree(t, "a.txt")
	if err := os.Symlink("loop", filepath.Join(folder, "loop")); err != nil {
		t.Fatal(err)
	}
	got, err := Files(t.Context(), "/", []string{escape(folder) + "/*"})
	if err != nil || len(got.Files) != 1 {
		t.Errorf("found %d files, %v; want a.txt alone", len(got.Files), err)
	}
}

func TestAFolderBehindLinksIsReadOnce(t *testing.T) {
	outside := tree(t, "far/x.txt")
	folder := tree(t, "runs/v1/a.txt", "runs/v2/b.txt", "runs/v2/deep/c.txt")
	for link, target := range map[string]string{
		"runs/latest": "v2", "runs/v2/self": ".", "runs/v2/deep/up": "../..", "runs/v1/loop": "loop", "runs/v1/gone": "nowhere",
		"runs/one": outside + "/far", "runs/two": outside + "/far", "alias": "runs",
	} {
		if err := os.Symlink(target, filepath.Join(folder, link)); err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string]string{
		"runs/**":             "runs/one/x.txt runs/two/x.txt runs/v1/a.txt runs/v2/b.txt runs/v2/deep/c.txt",
		"**/b.txt":            "runs/v2/b.txt",
		"alias/**/*.txt":      "alias/one/x.txt alias/two/x.txt alias/v1/a.txt alias/v2/b.txt alias/v2/deep/c.txt",
		"runs/v1/**":          "runs/v1/a.txt",
		"runs/latest/**":      "runs/latest/b.txt runs/latest/deep/c.txt runs/latest/deep/up/one/x.txt runs/latest/deep/up/two/x.txt runs/latest/deep/up/v1/a.txt",
		"runs/*/b.txt":        "runs/latest/b.txt runs/v2/b.txt", // as in a shell: each name was asked for
		"runs/{latest,v2}/b*": "runs/latest/b.txt runs/v2/b.txt",
	} {
		got, err := Files(t.Context(), folder, []string{pattern})
		if err != nil {
			t.Errorf("Files(%s) = %v, want no error", pattern, err)
			continue
		}
		var names []string
		for _, f := range got.Files {
			name, _ := filepath.Rel(folder, f.Path)
			names = append(names, name)
		}
		if !slices.Equal(names, strings.Fields(want)) {
			t.Errorf("%s matches %q, want %s", pattern, names, want)
		}
	}
}

func TestFilesArePinned(t *testing.T) {
	folder := tree(t, "a.txt")
	info, err := os.Stat(filepath.Join(folder, "a.txt"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Files(t.Context(), "/", []string{escape(folder) + "/*"})
	want := []spec.File{{Path: filepath.Join(folder, "a.txt"), Size: info.Size(), MTime: info.ModTime().UnixNano()}}
	if err == nil && len(got.Files) == 1 {
		want[0].Tag, want[0].Unended = look(&want[0])
	}
	if err != nil || want[0].Tag == "" || !reflect.DeepEqual(got.Files, want) {
		t.Fatalf("Files() = %+v, %v, want %+v", got, err, want)
	}
}

func TestFilesRefuse(t *testing.T) {
	folder := tree(t, "a.txt", "empty/")
	for pattern, says := range map[string]string{
		"*.nothing":     "matches no file",
		"empty/**":      "matches no file",
		"missing/*.txt": "matches no file",
		"missing.txt":   "does not exist",
		"empty":         "empty/** for all files below it",
		"[a":            "no valid pattern",
		"/dev/null":     "no regular file",
	} {
		if _, err := Files(t.Context(), folder, []string{pattern}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", pattern, err, says)
		}
	}
}

func TestLines(t *testing.T) {
	folder := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(folder, "list"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("\ufeffone\n\n# two\ntwo words\r\nlast")
	got, err := Lines(t.Context(), folder, "list")
	if err != nil || !slices.Equal(got, []string{"one", "", "# two", "two words", "last"}) {
		t.Errorf("Lines() = %q, %v, want each line", got, err)
	}
	write("")
	if _, err := Lines(t.Context(), folder, "list"); err == nil || !strings.Contains(err.Error(), "no line to make") {
		t.Errorf("Lines(an empty list) = %v, want an error", err)
	}
	write("fine\n" + strings.Repeat("x", maxLine+1))
	if _, err := Lines(t.Context(), folder, "list"); err == nil || !strings.Contains(err.Error(), "line 2: ") {
		t.Errorf("Lines(a long line) = %v, want an error at line 2", err)
	}
}

// A task would take the parts of such a name for two files.
func TestANameWithALineEndIsRefused(t *testing.T) {
	folder := tree(t, "a.txt", "b.txt\n.txt")
	for _, pattern := range []string{"*.txt", "b.txt\n.txt"} {
		if in, err := Files(t.Context(), folder, []string{pattern}); err == nil || !strings.Contains(err.Error(), `b.txt\n.txt`) {
			t.Errorf("Files(%q) = %v, %v, want an error that names the file", pattern, in, err)
		}
	}
	if in, err := Files(t.Context(), folder, []string{"a*.txt"}); err != nil || len(in.Files) != 1 {
		t.Errorf("Files(a*.txt) = %v, %v, want one", in, err)
	}
}
