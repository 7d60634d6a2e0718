package simulated

import (
	"fmt"
	"strings"
)

const plotWidth, plotHeight = 72, 16

// plot is a picture in letters.
type plot struct {
	title      string
	right, top float64
	cells      [plotHeight][plotWidth]byte
}

func newPlot(title string, right, top float64) *plot {
	p := &plot{title: title, right: right, top: top}
	for i := range p.cells {
		for j := range p.cells[i] {
			p.cells[i][j] = ' '
		}
	}
	return p
}

// put marks a point; what lies above the top is drawn at it.
func (p *plot) put(x, y float64, mark byte) {
	if !(x >= 0 && x <= p.right && y >= 0) {
		return
	}
	column := min(int(x/p.right*plotWidth), plotWidth-1)
	row := min(int(y/p.top*plotHeight), plotHeight-1)
	p.cells[plotHeight-1-row][column] = mark
}

// String is the plot with its axes.
func (p *plot) String() string {
	var b strings.Builder
	b.WriteString(p.title + "\n")
	for i := range p.cells {
		fmt.Fprintf(&b, "%6.0f |%s\n", p.top*float64(plotHeight-i)/plotHeight, strings.TrimRight(string(p.cells[i][:]), " "))
	}
	fmt.Fprintf(&b, "%6d +%s %.0f\n", 0, strings.Repeat("-", plotWidth-4), p.right)
	return b.String()
}
