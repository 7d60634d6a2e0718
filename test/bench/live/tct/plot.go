package tct

import (
	"fmt"
	"math"
	"strings"
)

// Figure 6: the time of a task over its time on an idle core, by the primary's CPU utilisation: 1
// − the residual known when the task was assigned.

// norm is what a time is divided by: the mean of the type's tasks without a primary, as in the
// paper, or the curve's value if none ran so.
func (l *learnt) norm() float64 {
	sum, n := 0.0, 0
	for _, s := range l.samples {
		if s.Known >= 0.9 {
			sum, n = sum+s.Seconds, n+1
		}
	}
	if n < 3 {
		return l.curve.Seconds(1)
	}
	return sum / float64(n)
}

// topOf is the highest normalised time to be shown of all types.
func topOf(curves []learnt) float64 {
	top := 2.0
	for i := range curves {
		if curves[i].curve == nil {
			continue
		}
		norm := curves[i].norm()
		for _, s := range curves[i].samples {
			top = max(top, s.Seconds/norm)
		}
	}
	return top
}

const textWidth, textHeight = 50, 10

// figureText draws two types side by side: samples as o, the curve as a line
// of dots. The time's axis is logarithmic.
func figureText(curves []learnt) string {
	var b strings.Builder
	b.WriteString("\nFigure 6: time over that on an idle core (log), by the primary's CPU, 0 to 100 %; o task, · model\n")
	top := topOf(curves)
	var drawn [][]string
	for i := range curves {
		if curves[i].curve != nil {
			drawn = append(drawn, curves[i].panel(top))
		}
	}
	for i := 0; i < len(drawn); i += 2 {
		for line := range drawn[i] {
			right := ""
			if i+1 < len(drawn) {
				right = drawn[i+1][line]
			}
			b.WriteString(strings.TrimRight(drawn[i][line]+"   "+right, " ") + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// panel is one type's plot: textHeight + 2 lines of the same width.
func (l *learnt) panel(top float64) []string {
	cells := make([][]rune, textHeight)
	for i := range cells {
		cells[i] = []rune(strings.Repeat(" ", textWidth))
	}
	norm := l.norm()
	for x := range textWidth {
		u := float64(x) / (textWidth - 1)
		if r := 1 - u; r >= 0.05 {
			mark(cells, u, l.curve.Seconds(r)/norm, top, '·')
		}
	}
	for _, s := range l.samples {
		mark(cells, 1-s.Known, s.Seconds/norm, top, 'o')
	}
	lines := []string{fmt.Sprintf("%-*s", textWidth+7, "       "+l.name)}
	for i, row := range cells {
		lines = append(lines, fmt.Sprintf("%5s │%s", label(i, top), string(row)))
	}
	return append(lines, "      └"+strings.Repeat("─", textWidth))
}

// mark puts a sign where a value belongs; what lies outside goes to the border.
func mark(cells [][]rune, u, value, top float64, sign rune) {
	x := int(math.Round(min(max(u, 0), 1) * (textWidth - 1)))
	y := int(math.Round(height(value, top) * (textHeight - 1)))
	cells[textHeight-1-y][x] = sign
}

// bottom of the time's axis: some tasks are faster than the mean.
const bottom = 0.7

// height is where a value stands between bottom and top, 0 to 1.
func height(value, top float64) float64 {
	return min(max(math.Log(value/bottom)/math.Log(top/bottom), 0), 1)
}

// label is the value at a row of the text plot, every third row.
func label(row int, top float64) string {
	if row%3 != 0 {
		return ""
	}
	share := float64(textHeight-1-row) / (textHeight - 1)
	return fmt.Sprintf("%.3g", bottom*math.Pow(top/bottom, share))
}
