package client

import (
	"maps"
	"strings"
	"testing"
)

func TestValuesOfVariables(t *testing.T) {
	for text, want := range map[string]string{
		`A=1`: "1", `A=a=b==`: "a=b==", "A = 1\t": "1", `export A="x=1&y=2"`: "x=1&y=2", "A=": "", `A=''`: "",
		`A=1 # one`: "1", `A=1# one`: "1# one", `A= # none`: "", `A=#1`: "#1",
		`A="a # b" # c`: "a # b", `A='a # b'	# c`: "a # b",
		`A="say \"hi\" \$B\n"`: "say \"hi\" $B\n", `A="\d"`: `\d`, `A='\n"'`: `\n"`, `A=\n`: `\n`, `A=x"y"`: `x"y"`,
		"A='1\n2'": "1\n2", "A=\"1\r\n2\"\r\n": "1\n2", `A="é"`: "é", `A="\é"`: `\é`,
	} {
		got := map[string]string{}
		if err := parseEnv("f", text+"\nB=2", got); err != nil || !maps.Equal(got, map[string]string{"A": want, "B": "2"}) {
			t.Errorf("variables of %q = %q, %v, want A=%q and B=2", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"\nA='1\n2\n": "line 2 has a quote ' that is not closed", `A="p" "q"`: `line 1 has "\"q\"" behind the value's closing quote`,
		`A='it'\''s'`: "behind the value's closing quote", "A='1\n2'\nB": "line 3 is not a variable", "A='1'#2": "behind the value's closing quote",
	} {
		if err := parseEnv("f", text, map[string]string{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error of %q = %v, want %q in it", text, err, want)
		}
	}
}
