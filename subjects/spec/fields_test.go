package spec

import (
	"strings"
	"testing"
)

func TestAnUnknownFieldListsThosePeopleWrite(t *testing.T) {
	_, err := Parse([]byte("name: a\nstages:\n  - {name: b, command: c, colour: red}\n"))
	if err == nil || !strings.Contains(err.Error(), "the fields here are name, command,") || !strings.Contains(err.Error(), "max_failures") {
		t.Fatal(err)
	}
	for _, byClient := range []string{"chunk", "splits", "sent", "stdin"} {
		if strings.Contains(err.Error(), ", "+byClient) {
			t.Errorf("the error %v lists %s, which only clients write", err, byClient)
		}
	}
}

// A field that stands in the job and belongs in a stage, or the other way round, is told its place.
func TestAFieldInTheWrongPlaceIsAnsweredWithItsPlace(t *testing.T) {
	for document, want := range map[string]string{
		"name: a\nenv_file: x\nstages: [{name: b, command: c}]":              "write `defaults: {env_file: …}`",
		"name: a\ncpus: 2\nstages: [{name: b, command: c}]":                  "write `defaults: {cpu: …}`",
		"name: a\nscript: ls\nstages: [{name: b}]":                           "`command:` belongs in a stage: move it",
		"name: a\nmatrix: {}\nstages: [{name: b}]":                           "`matrix:` belongs in a stage: move it",
		"name: a\nstages: [{name: b, command: c, deadline: 1h}]":             "`deadline:` belongs to the job",
		"name: a\nstages: [{name: b, command: c, partition: q}]":             "`queue:` belongs to the job",
		"name: a\ndefaults: {output: x}\nstages: [{name: b, command: c}]":    "`output:` belongs to the job",
		"name: a\ndefaults: {each: 1..3}\nstages: [{name: b, command: c}]":   "`each:` belongs in a stage: stages have no default",
		"name: a\nstages: [{name: b, command: c, from: {stage: x, cpu: 1}}]": "the fields here are stage, by",
	} {
		if _, err := Parse([]byte(document)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want %s", document, err, want)
		}
	}
}
