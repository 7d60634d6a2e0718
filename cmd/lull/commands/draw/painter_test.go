package draw

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

// TestPainterRedrawsInPlace reads the bytes as a terminal would.
func TestPainterRedrawsInPlace(t *testing.T) {
	var b strings.Builder
	width := 20
	p := NewPainter(&b, colorprofile.ASCII, func() int { return width })
	step := func(do func(), want string) {
		t.Helper()
		b.Reset()
		do()
		if b.String() != want {
			t.Errorf("bytes to the terminal = %q, want %q", b.String(), want)
		}
	}
	step(func() { p.Paint("one\n" + red.Render("two")) }, "\x1b[?25l\r\x1b[Jone\n\x1b[mtwo\x1b[m")
	step(func() { p.Paint("three") }, "\x1b[?25l\x1b[1A\r\x1b[Jthree")
	step(func() { _, _ = p.Write([]byte("said\n")) }, "\r\x1b[Jsaid\nthree")
	step(func() { p.Paint("123456789012345\nb") }, "\x1b[?25l\r\x1b[J123456789012345\nb")
	width = 10 // the first line wraps: three rows stand there now
	step(func() { p.Paint("c") }, "\x1b[?25l\x1b[2A\r\x1b[Jc")
	other := p.Beside(&b)
	step(func() { _, _ = other.Write([]byte("half")) }, "\r\x1b[J\x1b[?25hhalf")
	step(func() { p.Paint("d") }, "\x1b[?25l\nd")
	step(func() { _, _ = other.Write([]byte("whole\n")) }, "\r\x1b[J\x1b[?25hwhole\n")
	step(func() { p.Paint("e") }, "\x1b[?25l\r\x1b[Je")
	step(p.Close, "\n\x1b[?25h")
	step(p.Close, "")
}
