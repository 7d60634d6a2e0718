package interference

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"lull/test/bench/live/stage"
	"lull/test/steal"
)

func TestFlagsOfInterferenceAreChecked(t *testing.T) {
	good := func() *interfering {
		return &interfering{loads: list{"30", "60.5"}, batch: list{"pi"}, ways: list{stage.Idled}, rounds: 1, seconds: 1, primary: "go"}
	}
	f := good()
	loads, err := f.check()
	if err != nil || len(loads) != 2 || loads[1] != 0.605 {
		t.Fatalf("check() of good flags = loads %v, %v, want two with 0.605 as the second", loads, err)
	}
	if f.ways[0] != stage.Alone || f.ways[1] != stage.Idled {
		t.Errorf("ways after check() = %v, want alone first, then idle", f.ways)
	}
	for name, spoil := range map[string]func(*interfering){
		"load": func(f *interfering) { f.loads = list{"130"} }, "no load": func(f *interfering) { f.loads = list{"NaN"} },
		"way": func(f *interfering) { f.ways = list{"magic"} }, "batch": func(f *interfering) { f.batch = list{"tea"} },
		"rounds": func(f *interfering) { f.rounds = 0 }, "seconds": func(f *interfering) { f.seconds = math.NaN() },
		"primary": func(f *interfering) { f.primary = "apache" },
	} {
		f := good()
		spoil(f)
		if _, err := f.check(); err == nil {
			t.Errorf("check() with a bad %s = nil error, want an error", name)
		}
	}
}

func TestFlagsOfLullAreCheckedAtOnce(t *testing.T) {
	parse := func(args ...string) (*interfering, error) {
		f, set := &interfering{}, flag.NewFlagSet("bench", flag.ContinueOnError)
		set.SetOutput(io.Discard)
		f.flags(set)
		return f, set.Parse(args)
	}
	f, err := parse("--lull", "--spread off  --guard-budget 0", "--ways", "idle,lull")
	if err != nil || !slices.Equal(f.lull, words{"--spread", "off", "--guard-budget", "0"}) {
		t.Fatalf("parse(--lull) = %q, %v, want --spread off --guard-budget 0", f.lull, err)
	}
	if _, err := f.check(); err != nil {
		t.Error(err)
	}
	for flags, says := range map[string]string{
		"--sqread off": "--sqread", "--guard-budget": "guard-budget", "--guard-budget much": "much",
		"--spread maybe": "maybe", "--policy tea": "policy", "off": "off",
	} {
		if _, err := parse("--lull", flags); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("parse(--lull %q) = %v, want an error that contains %q", flags, err, says)
		}
	}
	if f, err = parse("--lull", "--spread off", "--ways", "idle"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.check(); err == nil {
		t.Error("check() with flags of a way that is not measured = nil error, want an error")
	}
}

func TestSchedstatIsParsed(t *testing.T) {
	run, waited, err := parseSchedstat("2500000000 500000000 17\n")
	if err != nil || run != 2.5 || waited != 0.5 {
		t.Errorf("parseSchedstat(2.5 s run, 0.5 s waited) = %v, %v, %v, want 2.5, 0.5", run, waited, err)
	}
	for _, text := range []string{"", "1", "a b c", "-1 2 3"} {
		if _, _, err := parseSchedstat(text); err == nil {
			t.Errorf("parseSchedstat(%q) = nil error, want an error", text)
		}
	}
}

func TestPairedRatioForgivesOneBadRound(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	a, b := make([]float64, 11), make([]float64, 11)
	for i := range a {
		b[i] = 1 + rng.Float64()
		a[i] = 1.5 * b[i] * (1 + 0.02*rng.NormFloat64())
	}
	a[4] *= 100
	e := pairedRatio(a, b)
	if e.mid < 1.45 || e.mid > 1.55 || e.low > e.mid || e.high < e.mid || e.high > 1.6 {
		t.Errorf("pairedRatio of values 1.5 times as large, one round disturbed = %+v, want about 1.5", e)
	}
	if e != pairedRatio(a, b) {
		t.Errorf("pairedRatio(the same values again) = %+v, want %+v", pairedRatio(a, b), e)
	}
	if pairedRatio(nil, nil) != (estimate{}) {
		t.Errorf("pairedRatio(nil, nil) = %+v, want the zero estimate", pairedRatio(nil, nil))
	}
}

func TestPictureIsTheDifferenceOfItsReadings(t *testing.T) {
	begin := time.Now()
	first := reading{at: begin, ticks: steal.Ticks{Stolen: 10, All: 1000}, primary: states{1, 2, 3}, server: 0.5, batch: 7, busy: 10}
	last := reading{at: begin.Add(2 * time.Second), ticks: steal.Ticks{Stolen: 20, All: 1400}, primary: states{2, 3, 13}, server: 1.3, batch: 9, busy: 13.5}
	s := picture(stage.Idled, &stage.Outcome{Due: make([]int64, 5), Took: []int64{1e6, 5e6, 2e6, 3e6, 4e6}, Lost: 1}, first, last)
	if s.p50 != 3 || s.p999 != 5 || s.rate != 2 || s.asked != 2.5 || s.batch != 1 || s.stolen != 0.025 || s.others != 0.25 || !s.disturbed() {
		t.Errorf("picture() = %+v, want p50 3 ms, p999 5 ms, rate 2, asked 2.5, batch 1, stolen 0.025, others 0.25, disturbed", s)
	}
	if s.states != (states{0.5, 0.5, 5}) || math.Abs(s.cost-200) > 1e-9 {
		t.Errorf("picture() = states %+v, %v ms a request, want 0.5, 0.5, 5 and 200 ms", s.states, s.cost)
	}
}

// leap is a jump with a bad tail for so many ms, then as ratio says.
func leap(bad int, ratio float64) *jump {
	j := &jump{}
	for ms := range 1000 {
		took := ratio * 1e6
		if ms < bad {
			took = 50e6
		}
		for range 3 {
			j.since, j.took = append(j.since, int64(ms)*1e6), append(j.took, int64(took))
		}
	}
	return j
}

func TestJumpIsBackWhenItsTailStays(t *testing.T) {
	beside := leap(0, 1)
	for bad, want := range map[int]float64{0: 0, 100: 100, 140: 140, 995: 1000} {
		if got := leap(bad, 1.1).back(beside); math.Abs(got-want) > 10 {
			t.Errorf("back() of a jump that is bad for %d ms = %v ms, want about %v", bad, got, want)
		}
	}
	if got := leap(0, 1.3).back(beside); got != 1000 {
		t.Errorf("back() of a jump that stays out of the band = %v ms, want 1000", got)
	}
}

func TestJumpsAreFoldedOntoOne(t *testing.T) {
	var j jump
	j.add(measurement{due: []int64{0, 0.4e9, 0.6e9, 1.5e9, 2.1e9}, took: []int64{1, 2, 3, 4, 5}})
	want := []int64{-0.5e9, -0.1e9, 0.1e9, -0.5e9, 0.1e9}
	if fmt.Sprint(j.since) != fmt.Sprint(want) {
		t.Errorf("since after add() of two jumps = %v, want %v", j.since, want)
	}
}

func TestCrossingLiesBetweenLevels(t *testing.T) {
	shots := []measurement{{asked: 100, p99: 10}, {asked: 200, p99: 10}, {asked: 300, p99: 1000}}
	if got := crossing(shots); math.Abs(got-250) > 1e-9 {
		t.Errorf("crossing() between the second and the third level = %v, want 250", got)
	}
	if got := crossing(shots[:2]); got != 200 {
		t.Errorf("crossing() of bearable levels only = %v, want 200, the last", got)
	}
	if got := crossing(shots[2:]); math.Abs(got-30) > 1e-9 {
		t.Errorf("crossing() of an unbearable first level = %v, want 30", got)
	}
}

// measured is a trial as it stands after three rounds.
func measured() *trial {
	c := &condition{load: 0.6, rate: 1000, kind: "pi", shots: map[string][]measurement{}}
	p99 := map[string]float64{stage.Alone: 2, stage.Unmanaged: 2000, stage.Weighted: 9, stage.Idled: 3, stage.Lulled: 2.2}
	batch := map[string]float64{stage.Unmanaged: 1.5, stage.Weighted: 0.7, stage.Idled: 0.75, stage.Lulled: 0.65}
	t := &trial{f: &interfering{ways: list{stage.Alone, stage.Unmanaged, stage.Weighted, stage.Idled, stage.Lulled}}, cases: []*condition{c}}
	for way := range p99 {
		for k := range 3 {
			c.shots[way] = append(c.shots[way], measurement{way: way, p99: p99[way] * (1 + 0.1*float64(k)), batch: batch[way], states: states{running: 1.2}})
		}
	}
	return t
}

func TestChecksOfInterference(t *testing.T) {
	if cores() < 1.3 {
		t.Skip("needs more cores: the figures are of two")
	}
	held := func(trial *trial) (list []bool) {
		for _, check := range trial.table().Checks {
			list = append(list, check.Holds)
		}
		return list
	}
	good := measured()
	for i := range good.cases[0].shots[stage.Lulled] { // 81 % of what the primary leaves, whatever the machine
		good.cases[0].shots[stage.Lulled][i].batch = 0.81 * (cores() - 1.2)
	}
	for i := range good.cases[0].shots[stage.Idled] {
		good.cases[0].shots[stage.Idled][i].batch = 0.93 * (cores() - 1.2)
	}
	if got := held(good); fmt.Sprint(got) != "[true true true true]" {
		t.Errorf("checks of a good trial hold = %v, want all", got)
	}
	bad := measured()
	for i := range bad.cases[0].shots[stage.Lulled] {
		bad.cases[0].shots[stage.Lulled][i].p99 = 20
		bad.cases[0].shots[stage.Lulled][i].batch = 0
	}
	if got := held(bad); fmt.Sprint(got) != "[false false false false]" {
		t.Errorf("checks of a bad trial hold = %v, want none", got)
	}
}

func TestPageOfInterferenceIsWellFormedAndSelfContained(t *testing.T) {
	text := measured().page()
	if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || strings.Contains(text, "src=") || strings.Contains(text, "href=") {
		t.Error("page() contains NaN, Inf, src= or href=, want numbers only and nothing to load")
	}
	begin, end := strings.Index(text, "<svg"), strings.Index(text, "</svg>")
	circles, d := 0, xml.NewDecoder(strings.NewReader(text[begin:end+len("</svg>")]))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "circle" {
			circles++
		}
	}
	if circles != 4 {
		t.Errorf("circles in the plot = %d, want 4, one for each way except alone", circles)
	}
}
