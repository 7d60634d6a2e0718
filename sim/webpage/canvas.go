package webpage

import (
	"fmt"
	"html"
	"strconv"
	"strings"
)

// canvas is an SVG being drawn. All text that comes from elsewhere passes
// through text or title, which escape it.
type canvas struct {
	b             strings.Builder
	width, height float64
}

// newCanvas begins a picture. label describes it for screen readers.
func newCanvas(width, height float64, label string) *canvas {
	c := &canvas{width: width, height: height}
	c.printf(`<svg viewBox="0 0 %s %s" role="img" aria-label="%s">`, num(width), num(height), html.EscapeString(label))
	return c
}

func (c *canvas) printf(format string, args ...any) { fmt.Fprintf(&c.b, format, args...) }

// text puts a line of text; anchor is start, middle or end.
func (c *canvas) text(x, y float64, anchor, class, s string) {
	c.printf(`<text x="%s" y="%s" text-anchor="%s" class="%s">%s</text>`, num(x), num(y), anchor, class, html.EscapeString(s))
}

func (c *canvas) line(x1, y1, x2, y2 float64, class string) {
	c.printf(`<path class="%s" d="M%s %sL%s %s"/>`, class, num(x1), num(y1), num(x2), num(y2))
}

// rect puts a box; title is what hovering over it says, "" for nothing.
func (c *canvas) rect(x, y, w, h float64, class, title string) {
	c.printf(`<rect x="%s" y="%s" width="%s" height="%s" class="%s"`, num(x), num(y), num(max(w, 0)), num(max(h, 0)), class)
	if title == "" {
		c.printf("/>")
		return
	}
	c.printf("><title>%s</title></rect>", html.EscapeString(title))
}

func (c *canvas) path(class, d string) { c.printf(`<path class="%s" d="%s"/>`, class, d) }

func (c *canvas) end() string { return c.b.String() + "</svg>" }

// num writes a coordinate to a tenth: finer is not seen.
func num(v float64) string {
	s := strconv.FormatFloat(v, 'f', 1, 64)
	return strings.TrimSuffix(s, ".0")
}
