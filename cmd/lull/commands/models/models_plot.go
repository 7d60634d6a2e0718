package models

import (
	"fmt"
	"math"
	"strings"

	"lull/subjects/humane"
	"lull/subjects/tct"
)

const (
	plotWidth  = 76 // columns, from a residual of MinResidual to 1
	plotHeight = 13 // rows, odd: a flat curve lies on the middle one
)

// plot draws a curve, seconds over the residual, with the time in equal ratios from row to row: on
// a linear scale a curve that rises twentyfold is an L. The range of the samples is drawn bold.
func plot(c *tct.Curve, low, high float64) string {
	s := scaleOf(c)
	rows := make([][]rune, plotHeight)
	for i := range rows {
		rows[i] = []rune(strings.Repeat(" ", plotWidth))
	}
	for x := range plotWidth {
		r, mark := residualAt(x), '·'
		if low <= r && r <= high {
			mark = '●'
		}
		rows[s.row(c.Seconds(r))][x] = mark
	}
	return s.frame(rows)
}

func residualAt(x int) float64 {
	return tct.MinResidual + (1-tct.MinResidual)*float64(x)/(plotWidth-1)
}

// scale is the range of times from the last row to the first.
type scale struct{ least, most float64 }

// scaleOf covers the curve, and at least a doubling: a flat curve is to look
// flat.
func scaleOf(c *tct.Curve) scale {
	s := scale{math.Inf(1), 0}
	for x := range plotWidth {
		seconds := c.Seconds(residualAt(x))
		s.least, s.most = min(s.least, seconds), max(s.most, seconds)
	}
	if wide := math.Sqrt(2 * s.least / s.most); wide > 1 {
		s.least, s.most = s.least/wide, s.most*wide
	}
	return s
}

func (s scale) row(seconds float64) int {
	part := math.Log(s.most/seconds) / math.Log(s.most/s.least)
	return min(max(int(part*(plotHeight-1)+0.5), 0), plotHeight-1)
}

// at is the time that a row stands for.
func (s scale) at(row int) float64 {
	return s.most * math.Pow(s.least/s.most, float64(row)/(plotHeight-1))
}

// frame adds the axes.
func (s scale) frame(rows [][]rune) string {
	var b strings.Builder
	for i, row := range rows {
		label, axis := "", "│"
		if i%3 == 0 {
			label, axis = humane.Seconds(s.at(i)), "┤"
		}
		fmt.Fprintf(&b, "%10s %s%s\n", label, axis, strings.TrimRight(string(row), " "))
	}
	b.WriteString(strings.Repeat(" ", 11) + "└" + strings.Repeat("─", plotWidth) + "\n")
	ticks := []rune(strings.Repeat(" ", plotWidth+4))
	for _, r := range []float64{0.05, 0.2, 0.4, 0.6, 0.8, 1} {
		x := int((r-tct.MinResidual)/(1-tct.MinResidual)*(plotWidth-1) + 0.5)
		copy(ticks[x:], []rune(fmt.Sprint(r)))
	}
	b.WriteString(strings.Repeat(" ", 12) + strings.TrimRight(string(ticks), " ") + "\n")
	b.WriteString(strings.Repeat(" ", 12) + "residual: share of a core that the primary leaves (● seen, · not)\n")
	return b.String()
}
