package terminal

import "testing"

func TestWideLinesGoOnBelowTheirText(t *testing.T) {
	const text = "cores    2\nidle     yes the kernel leaves idle cores to it"
	for width, want := range map[int]string{
		0:  text,
		47: text,
		33: "cores    2\nidle     yes the kernel leaves\n         idle cores to it",
		5:  "cores    2\nidle     yes the kernel\n         leaves idle cores to\n         it",
	} {
		if got := Hang(text, 9, width); got != want {
			t.Errorf("Hang(%q, 9, %d) = %q, want %q", text, width, got, want)
		}
	}
}
