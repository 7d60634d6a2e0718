package shellword

import (
	"os/exec"
	"testing"
)

func TestAShellReadsOneWord(t *testing.T) {
	for _, text := range []string{"", "plain/path-1.yaml", "a b", "it's", "$HOME", "a\nb", `back\slash`, "*", "~", "x=1", "#", "!"} {
		out, err := exec.Command("sh", "-c", "printf %s "+Of(text)).Output()
		if err != nil || string(out) != text {
			t.Errorf("sh reads Of(%q) = %s as %q, %v, want the text itself", text, Of(text), out, err)
		}
	}
	for text, want := range map[string]string{"plain/path-1.yaml": "plain/path-1.yaml", "x=1": "'x=1'", "--x=1": "--x=1"} {
		if Of(text) != want {
			t.Errorf("Of(%q) = %s, want %s", text, Of(text), want)
		}
	}
}
