package client

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"lull/subjects/spec"
)

func TestVariablesAreReadFromFilesBesideTheDocument(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"a.env": "\ufeffA0=\r\n# first\nA=1\n\nexport B = \"two words\"\nC=x=y\n", "b.env": "A='2'\r\nD=\n", "bad.env": "A=1\nnonsense\n", "own.env": "LULL_TASK=1\n",
		"latin.env": "A=caf\xe9\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(folder, "pipe.env"), 0o600); err != nil {
		t.Fatal(err)
	}
	parse := func(text string) *spec.Doc {
		doc, err := spec.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return doc
	}
	doc := parse("{name: j, defaults: {env_file: [a.env, b.env]}, stages: [{name: s, command: x, tasks: 1, env: {C: own}}]}")
	if _, err := doc.Job(); err == nil {
		t.Error("Job() of a document whose files were not read = no error, want one")
	}
	if err := fillEnv(t.Context(), doc, folder); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"A0": "", "A": "2", "B": "two words", "C": "own", "D": ""}
	if got := doc.Stages[0].Env; !maps.Equal(got, want) {
		t.Errorf("the variables are %q, want %q", got, want)
	}
	if _, err := doc.Job(); err != nil {
		t.Error(err)
	}
	for file, says := range map[string]string{"bad.env": "line 2 is not a variable", "own.env": "line 1: LULL_TASK is set by lull", "none.env": "no such file", "pipe.env": "is no regular file", "latin.env": "not UTF-8"} {
		err := fillEnv(t.Context(), parse("{name: j, stages: [{name: s, command: x, tasks: 1, env_file: "+file+"}]}"), folder)
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "line 1, column") {
			t.Errorf("%s: fillEnv = %v, want an error that says %q with line and column", file, err, says)
		}
	}
}
