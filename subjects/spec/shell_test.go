package spec

import (
	"slices"
	"strings"
	"testing"
)

func TestShells(t *testing.T) {
	bash := []string{"bash", "-euo", "pipefail", "-c", "a | b"}
	const stages = "stages: [{name: s, command: a | b}]"
	for text, want := range map[string][]string{
		"name: j\n" + stages: {"sh", "-c", "a | b"},
		"name: j\nshell: [bash, -euo, pipefail, -c]\n" + stages:                                                                                bash,
		"name: j\ndefaults: {shell: [bash, -euo, pipefail, -c]}\n" + stages:                                                                    bash,
		"name: j\nshell: [perl, -e]\ndefaults: {shell: [python3, -c]}\nstages: [{name: s, command: a | b, shell: [bash, -euo, pipefail, -c]}]": bash,
		"name: j\nshell: [perl, -e]\ndefaults: {shell: [bash, -euo, pipefail, -c]}\n" + stages:                                                 bash,
		"name: j\nshell: [bash, -c]\nstages: [{name: s, command: [a, b]}]":                                                                     {"a", "b"},
		"name: j\nshell: [timeout, 5, bash, -ec]\n" + stages:                                                                                   {"timeout", "5", "bash", "-ec", "a | b"},
	} {
		doc := parse(t, text)
		if got := doc.Stages[0].Command; !slices.Equal(got, want) {
			t.Errorf("command of %q = %q, want %q", text, got, want)
		}
		sent, err := doc.JSON()
		if err != nil || strings.Contains(string(sent), "shell") {
			t.Errorf("document that is sent = %s, %v, want the shell in its command", sent, err)
		}
	}
}

func TestPipelinesThatHideFailuresAreCautioned(t *testing.T) {
	for command, want := range map[string]bool{
		"tr a b | sort >$LULL_OUT/x":                    true,
		"a |& b":                                        true,
		"a || b | c":                                    true,
		"a || b":                                        false,
		"grep -E 'a|b' x":                               false,
		`grep "a\"|b" x # c | d`:                        false,
		`tr '\' '|' \| >| x`:                            false,
		"# it's a | b\ntrue":                            false,
		"set -o pipefail; a | b":                        false,
		"case $x in a|b) true;; esac":                   false,
		"case $x in a|b) true;; esac; c | d":            true,
		"cat <<EOF >x\n| a | b |\nEOF\ntrue":            false,
		"cat <<-'END' | sort\nx\n\tEND\n":               true,
		"awk '{ print $1 | \"sort\" }' x && echo $#":    false,
		"for f in *; do echo ${f#*/}; done | sort":      true,
		"exec 3>&1; test $((1)) -gt 0 || exit; true;":   false,
		"if a; then b; fi\n  # x || y\n  c |\n  d\ne":   true,
		"echo 'in case' of \"a | b\"; echo '|' \"|\"":   false,
		"printf '%s\\n' \"it's\" | sort":                true,
		"echo it\\'s; echo \"a\" 'b' | cat":             true,
		"echo `a | b`":                                  true,
		"x=$(a | b)":                                    true,
		"[ -e a ] && b || { echo \"no | a\"; exit 1; }": false,
	} {
		doc := &Doc{Name: "j", Stages: []DocStage{{Name: "s", line: command}}}
		if err := applyShells(doc); err != nil {
			t.Fatal(err)
		}
		if got := len(Cautions(doc)) > 0; got != want {
			t.Errorf("caution of %q: %v, want %v", command, got, want)
		}
	}
}

// One line says it, for all stages, and names the fix.
func TestOneCautionForAllPipelines(t *testing.T) {
	const stages = "stages: [{name: a, command: a | b}, {name: b, command: c | d}, {name: c, command: [a, '|', b]}]"
	all := Cautions(parse(t, "name: j\n"+stages))
	if len(all) != 1 || !strings.Contains(all[0].Error(), "shell: [bash, -euo, pipefail, -c]") || !strings.Contains(all[0].Error(), "line 2, column 29") {
		t.Errorf("Cautions() = %v, want one with the place and the fix", all)
	}
	if all := Cautions(parse(t, "name: j\nshell: [bash, -euo, pipefail, -c]\n"+stages)); len(all) > 0 {
		t.Errorf("Cautions() with pipefail = %v, want none", all)
	}
	if all := Cautions(parse(t, "name: j\nshell: [python3, -c]\nstages: [{name: a, command: 'print(1 | 2)'}]")); len(all) > 0 {
		t.Errorf("Cautions() of another language = %v, want none", all)
	}
}
