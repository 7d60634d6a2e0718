package spec

import (
	"strings"
	"testing"
)

// TestADocumentIsSentAsItIs: JSON has no form for bytes that are not text, so a document with some is not sent.
func TestADocumentIsSentAsItIs(t *testing.T) {
	for where, change := range map[string]func(*Doc){
		"output":                        func(d *Doc) { d.Output = "/srv/\xff" },
		"stages[0].command[1]":          func(d *Doc) { d.Stages[0].Command = []string{"rm", "a\xff"} },
		"stages[0].env.NAME":            func(d *Doc) { d.Stages[0].Env = map[string]string{"NAME": "\xc3("} },
		"stages[0].splits[0].param":     func(d *Doc) { d.Stages[0].Splits = []Split{{Param: "\xff"}} },
		"stages[0].splits[0].ranges[0]": func(d *Doc) { d.Stages[0].Splits = []Split{{Ranges: []Range{{Path: "/a\xff"}}}} },
	} {
		doc, err := Parse([]byte("{name: j, stages: [{name: s, command: x, tasks: 1}]}"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := doc.JSON(); err != nil {
			t.Fatalf("JSON() of the unchanged document = %v, want no error", err)
		}
		change(doc)
		if body, err := doc.JSON(); err == nil || !strings.Contains(err.Error(), where) || !strings.Contains(err.Error(), "not UTF-8") {
			t.Errorf("JSON() with other bytes than UTF-8 in %s = %s, %v, want an error that says so", where, body, err)
		}
	}
}
