package pin

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

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
