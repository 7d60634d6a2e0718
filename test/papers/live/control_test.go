package live

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lull/hostctl/pacing"
	"lull/test/papers/sharing"
	"lull/test/report"
)

// traced is samples at a reference, with throughput and cap of each.
func traced(reference float64, rates, caps []float64) (list []pacing.Moment) {
	for k := range rates {
		list = append(list, pacing.Moment{Rate: rates[k], Reference: reference, Cap: caps[k]})
	}
	return list
}

func same(v float64, n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = v
	}
	return list
}

func TestSettlingAndMeanOfAStretch(t *testing.T) {
	rates := append([]float64{0, 1, 2, 4, 7}, same(10, 25)...)
	s := stretches([][]pacing.Moment{traced(10, rates, same(0.4, 30))})[0]
	if at := s.settling(); at < 3 || at > 5 {
		t.Errorf("settling() = %d samples, want 3 to 5", at)
	}
	if s.outside() > 0 {
		t.Errorf("outside() = %v of the time, want 0", s.outside())
	}
	disturbed := append(append(same(10, 25), same(3, 5)...), same(10, 10)...)
	d := stretches([][]pacing.Moment{traced(10, disturbed, same(0.4, 40))})[0]
	if d.settling() != 0 || d.outside() < 0.2 || d.outside() > 0.5 {
		t.Errorf("settling() and outside() after a disturbance = %d and %v, want 0 and 0.2 to 0.5", d.settling(), d.outside())
	}
	if off := s.off(); math.Abs(off) > 1e-9 {
		t.Errorf("off() after a disturbance = %v, want 0", off)
	}
	never := stretches([][]pacing.Moment{traced(10, same(8, 30), same(1, 30))})[0]
	if never.settling() != 30 || math.Abs(never.off()+0.2) > 1e-9 {
		t.Errorf("settling() and off() of a stretch that never settles = %d and %v, want 30 and -0.2", never.settling(), never.off())
	}
}

// A program that reads 4 MB at once has read four times or five in a second, and nothing between.
func TestASecondHoldsWholeBursts(t *testing.T) {
	rates := make([]float64, 40)
	for k := range rates {
		if rates[k] = 20e6; k%9 == 8 {
			rates[k] = 0
		}
	}
	list := func() []stretch { return stretches([][]pacing.Moment{traced(17e6, rates, same(0.4, 40))}) }
	if at := of(operator{}, 0, list())[0].settling(); at != 40 {
		t.Errorf("settling() of a program that reads evenly = %d samples, want 40", at)
	}
	if at := of(operator{burst: 4e6}, 0, list())[0].settling(); at != 0 {
		t.Errorf("settling() of a program that reads 4 MB at once = %d samples, want 0", at)
	}
}

func TestSwingsAreFromLimitToLimit(t *testing.T) {
	s := stretches([][]pacing.Moment{traced(10, same(10, 8), []float64{1, 0.05, 1, 0.6, 0.05, 0.05, 1, 1})})[0]
	if n := s.swings(); n != 3 {
		t.Errorf("swings() = %d, want 3", n)
	}
}

func TestStretchesCutWhereTheReferenceChanges(t *testing.T) {
	one := append(traced(10, same(10, 4), same(0.5, 4)), traced(20, same(20, 3), same(0.9, 3))...)
	two := append(traced(10, same(9, 4), same(0.5, 4)), traced(20, same(21, 5), same(0.9, 5))...)
	parts := stretches([][]pacing.Moment{one, two})
	if len(parts) != 2 || len(parts[0].rates) != 4 || len(parts[1].rates) != 3 {
		t.Fatalf("stretches() = %d of them: %+v, want two of 4 and 3 rates", len(parts), parts)
	}
	if math.Abs(parts[0].rates[0]-19) > 1e-9 || math.Abs(parts[1].reference-40) > 1e-9 {
		t.Errorf("stretches() = %+v, want sums: a rate of 19 first, a reference of 40 last", parts)
	}
	if sum := together([][]pacing.Moment{one, two}); len(sum) != 7 || math.Abs(sum[6].Rate-41) > 1e-9 {
		t.Errorf("together() = %+v, want 7 moments, the last with a rate of 41", sum)
	}
}

// A figure is one whole file, whatever a trace holds.
func TestFigureIsDrawn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "figure.svg")
	panels := []panel{{"sort", traced(10e6, []float64{math.NaN(), 9e6, 11e6}, same(0.4, 3))}, {"nothing", nil}}
	if err := drawPanels(path, "A title", panels, &report.Report{}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	text := string(b)
	if err != nil || !strings.HasPrefix(text, "<svg") || !strings.HasSuffix(text, "</svg>\n") || strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		t.Errorf("figure = %v\n%s\nwant a whole SVG without NaN and Inf", err, text)
	}
	if strings.Count(text, "<polyline") != 6 {
		t.Errorf("lines in the figure = %d, want 6, three for each panel", strings.Count(text, "<polyline"))
	}
}

// Each way runs on this machine as in the simulator: the same queues, each with as
// many jobs as are asked for.
func TestLiveWaysHaveJobsForEachQueue(t *testing.T) {
	for _, way := range sharing.Ways {
		for _, small := range []bool{true, false} {
			for i, q := range liveQueues(way, small) {
				least := 8
				if small {
					least = 2
				}
				if q.Jobs < least || q.Name != way.Queues[i].Name || math.Abs(q.Weight-way.Queues[i].Weight) > 1e-9 {
					t.Errorf("liveQueues(%s, %v) has %+v, want at least %d jobs and the name and weight of %+v", way.Name, small, q, least, way.Queues[i])
				}
			}
		}
		if len(way.Paper) != len(way.Queues) {
			t.Errorf("queues with a figure of the paper in %s = %d, want %d", way.Name, len(way.Paper), len(way.Queues))
		}
	}
}

func TestWaysAreChosenByHowTheirNamesBegin(t *testing.T) {
	for asked, want := range map[string]int{"": 4, "fair,unmanaged": 2, "priority": 1, "none": 0} {
		if got := waysOf(options{Ways: asked}); len(got) != want {
			t.Errorf("waysOf(%q) = %d ways, want %d", asked, len(got), want)
		}
	}
}

// Only the usual job is stretched, and none of its stages to nothing.
func TestTheUsualJobIsStretched(t *testing.T) {
	b := &bench{stretch: 0.2}
	b.text.Length, b.text.Size = 100, 100
	for size, want := range map[int][]int{usual: {1, 2, 1, 1}, brief: {2, 3, 2, 1}} {
		for i, stage := range b.query("one", size).Stages {
			if got := len(stage.Splits[0].Ranges) / 2; got != want[i] {
				t.Errorf("size %d: %s reads %d copies, want %d", size, stage.Name, got, want[i])
			}
		}
	}
}
