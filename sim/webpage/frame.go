package webpage

import "math"

// frame is the field of a plot within its canvas, and the range of values that it shows.
type frame struct {
	*canvas
	left, top, right, bottom float64 // of the field
	x0, x1, y1               float64 // values at its edges; y begins at 0
	log                      bool    // x is logarithmic
}

const (
	plotWidth  = 640
	plotHeight = 220
	marginLeft = 46
)

// newFrame begins a plot of the usual size.
func newFrame(label string, x0, x1, y1 float64) *frame {
	c := newCanvas(plotWidth, plotHeight, label)
	if !(x1 > x0) {
		x1 = x0 + 1
	}
	if !(y1 > 0) {
		y1 = 1
	}
	return &frame{canvas: c, left: marginLeft, top: 12, right: plotWidth - 12, bottom: plotHeight - 26, x0: x0, x1: x1, y1: y1}
}

func (f *frame) x(v float64) float64 {
	share := (v - f.x0) / (f.x1 - f.x0)
	if f.log {
		share = math.Log(v/f.x0) / math.Log(f.x1/f.x0)
	}
	return f.left + min(max(share, 0), 1)*(f.right-f.left)
}

func (f *frame) y(v float64) float64 {
	return f.bottom - min(max(v/f.y1, 0), 1)*(f.bottom-f.top)
}

// axes draws the marks with faint lines across the field.
func (f *frame) axes(xs, ys []tick) {
	for _, t := range ys {
		f.line(f.left, f.y(t.at), f.right, f.y(t.at), "grid")
		f.text(f.left-6, f.y(t.at)+3.5, "end", "tick", t.label)
	}
	for _, t := range xs {
		f.line(f.x(t.at), f.top, f.x(t.at), f.bottom, "grid")
		anchor := "middle"
		if f.x(t.at) > f.right-20 {
			anchor = "end"
		}
		f.text(f.x(t.at), f.bottom+15, anchor, "tick", t.label)
	}
}
