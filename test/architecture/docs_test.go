package architecture

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// testCommand is a command of a page that runs some tests or benchmarks of a package.
	testCommand = regexp.MustCompile("`(go test [^`]*-(?:run|bench) [^`]*)`")
	pattern     = regexp.MustCompile(`-(?:run|bench) ('[^']*'|\S+)`)
	folder      = regexp.MustCompile(`\./[a-z/_]+`)
	testFunc    = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example|Benchmark)\w*)\(`)
)

// TestDocumentedTestsExist: each command of a page that runs tests or benchmarks by name finds one. Else a renamed test would
// leave a command that passes and runs nothing.
func TestDocumentedTestsExist(t *testing.T) {
	root := filepath.Join("..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, page := range append(pages, filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range testCommand.FindAllStringSubmatch(string(text), -1) {
			command := match[1]
			all := strings.Join(testsOf(t, filepath.Join(root, folder.FindString(command))), "\n")
			for _, names := range pattern.FindAllStringSubmatch(command, -1) {
				name, _, _ := strings.Cut(strings.Trim(names[1], "'"), "/")
				name = strings.ReplaceAll(name, `\|`, "|") // as a table escapes it
				if seen++; name != "-" && !regexp.MustCompile(name).MatchString(all) {
					t.Errorf("%s: %s names the test %q, want one that exists", filepath.Base(page), command, name)
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("test commands found in the pages = %d, want at least 20", seen)
	}
}

// testsOf lists the tests of a package's folder.
func testsOf(t *testing.T, dir string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range testFunc.FindAllStringSubmatch(string(text), -1) {
			names = append(names, f[1])
		}
	}
	return names
}
