package draw

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"lull/cmd/lull/plain"
)

// Painter redraws a few lines at the bottom of a terminal. What is written
// through it appears above them. It is safe for concurrent use; Close gives
// the cursor back and leaves the last lines standing.
type Painter struct {
	colors colorprofile.Profile
	size   func() int // columns now

	mu struct {
		sync.Mutex
		out   io.Writer
		lines []string // that stand on the terminal
		open  bool     // what was written beside them last did not end its line
	}
}

const (
	hideCursor = "\x1b[?25l"
	showCursor = "\x1b[?25h"
	eraseDown  = "\r\x1b[J" // from the beginning of this line
)

// NewPainter paints on out, in at most these colours. width returns how many
// columns the terminal has at that moment.
func NewPainter(out io.Writer, colors colorprofile.Profile, width func() int) *Painter {
	p := &Painter{colors: colors, size: width}
	p.mu.out = out
	return p
}

// Width is how many columns there are now.
func (p *Painter) Width() int { return p.size() }

// Paint replaces the lines by text. All of it goes out in one write, so that
// no half of it is seen.
func (p *Painter) Paint(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.erase()
	if p.mu.open { // the text that stands there is another's
		before, p.mu.open = "\n", false
	}
	p.mu.lines = strings.Split(text, "\n")
	p.put(hideCursor + before + p.colored(text))
}

// Write puts text above the lines.
func (p *Painter) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.erase()
	if p.mu.open {
		before, p.mu.open = "\n", false
	}
	line := strings.TrimRight(string(text), "\n") + "\n"
	p.put(before + p.colored(line+strings.Join(p.mu.lines, "\n")))
	return len(text), nil
}

// Beside returns a writer of text that goes as it is to the same terminal. The lines are off it until they are
// painted again.
func (p *Painter) Beside(to io.Writer) io.Writer { return &beside{p, to} }

type beside struct {
	*Painter
	to io.Writer
}

func (b *beside) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.mu.lines) > 0 {
		b.put(b.erase() + showCursor)
		b.mu.lines = nil
	}
	if len(text) > 0 {
		b.mu.open = text[len(text)-1] != '\n'
	}
	return b.to.Write(text)
}

// Close ends the drawing below the last lines.
func (p *Painter) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.mu.lines) > 0 {
		p.put("\n" + showCursor)
	}
	p.mu.lines = nil
}

// erase returns what takes the lines off again. A terminal that became
// narrower has wrapped them into more rows. mu is held.
func (p *Painter) erase() string {
	width, rows := max(p.size(), 1), 0
	for _, line := range p.mu.lines {
		rows += max(1, (lipgloss.Width(line)+width-1)/width)
	}
	if rows <= 1 {
		return eraseDown
	}
	return fmt.Sprintf("\x1b[%dA", rows-1) + eraseDown
}

// put writes. Errors are ignored: the terminal is gone then. mu is held.
func (p *Painter) put(s string) { _, _ = io.WriteString(p.mu.out, s) }

// colored leaves of the colours what the terminal knows, and nothing else that steers it.
func (p *Painter) colored(text string) string {
	var b strings.Builder
	_, _ = (&colorprofile.Writer{Forward: &b, Profile: p.colors}).WriteString(plain.Text(text))
	return b.String()
}
