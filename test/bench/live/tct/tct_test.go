package tct

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"lull/sim"
	"lull/slotter/fit"
)

// made are samples of a type of tasks that take work/r seconds, times a factor.
func made(rng *rand.Rand, name string, work, sigma float64) learnt {
	c := &campaign{record: newRecord(), kinds: []*kind{{name: name, paper: 0.08}}}
	for i := range 60 {
		r := 0.08 + 0.92*rng.Float64()
		c.kept[name] = append(c.kept[name], sample{
			Sample: fit.Sample{Residual: r, Known: r, Seconds: work / r * math.Exp(sigma*rng.NormFloat64()), Bytes: 1000},
			round:  i / 6,
		})
	}
	return learn(c)[0]
}

func TestLearnFindsCurveAndNoise(t *testing.T) {
	l := made(rand.New(rand.NewPCG(1, 1)), "pi", 2, 0.1)
	for _, r := range []float64{0.1, 0.5, 1} {
		if got := l.curve.Seconds(r); math.Abs(got*r/2-1) > 0.1 {
			t.Errorf("Seconds(%v) of the fitted curve = %.2f s, want %.2f", r, got, 2/r)
		}
	}
	if l.noise < 0.07 || l.noise > 0.13 {
		t.Errorf("noise of the fitted curve = %.3f, want 0.07 to 0.13", l.noise)
	}
	if l.outside.n != 60 || l.outside.nrmse <= 0 || l.outside.nrmse > 0.1 {
		t.Errorf("score out of sample = %+v, want 60 samples with an NRMSE above 0, at most 0.1", l.outside)
	}
	if l.made.n != 0 {
		t.Errorf("predictions without a model = %d, want 0", l.made.n)
	}
}

// Tasks of one round ran at a residual that no other had, no slower than the
// rest. A model that has not seen them takes work for conserved and predicts
// five times as long; one that had would know.
func TestCrossValidationLeavesWholeRoundsOut(t *testing.T) {
	var samples []sample
	for i := range 40 {
		s := sample{Sample: fit.Sample{Residual: 0.5, Known: 0.5, Seconds: 1 + 0.2*float64(i%2)}, round: i / 8}
		if s.round == 4 {
			s.Residual, s.Known = 0.1, 0.1
		}
		samples = append(samples, s)
	}
	if got := crossValidate("x", samples); got.n != 40 || got.nrmse < 3 {
		t.Errorf("crossValidate() = %+v, want 40 samples with an NRMSE of at least 3", got)
	}
}

func TestScoreByHand(t *testing.T) {
	var samples []sample
	for _, seconds := range []float64{1, 2, 4} {
		samples = append(samples, sample{Sample: fit.Sample{Seconds: seconds}})
	}
	got := scored(samples, func(sample) float64 { return 2 })
	// Errors 1, 0 and −2: RMSE √(5/3) over a range of 3.
	if math.Abs(got.nrmse-math.Sqrt(5.0/3)/3) > 1e-12 || math.Abs(got.over-1.0/3) > 1e-12 ||
		got.overBy != 1 || got.under != 0.25 {
		t.Errorf("scored() = %+v, want an NRMSE of √(5/3)/3, a third over by 1, under by 0.25", got)
	}
	if none := scored(samples, func(sample) float64 { return 0 }); none.n != 0 || none.nrmse != 0 {
		t.Errorf("scored() without predictions = %+v, want none", none)
	}
}

func TestSweepCoversTheRangeInSmallSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	last := 0.0
	for pass := range 4 {
		levels := sweep(rng, pass, 8)
		if len(levels) != 9 {
			t.Fatalf("levels of a sweep of eight steps = %d, want 9", len(levels))
		}
		for _, level := range levels {
			if level > highest || level < lowest && level != 0 {
				t.Errorf("level of the sweep = %v, want 0, or %v to %v", level, lowest, highest)
			}
			if math.Abs(level-last) > 2*(highest-lowest)/8+lowest {
				t.Errorf("step of the sweep from %v to %v, want at most two eighths of the range", last, level)
			}
			last = level
		}
	}
}

func TestSettling(t *testing.T) {
	for _, c := range []struct {
		from, to float64
		least    time.Duration
	}{
		{0.5, 0.5, 0}, {0.1, 0.11, time.Second}, {0.85, 0.95, 10 * time.Second}, {0.3, 0.2, 7 * time.Second},
	} {
		got := settling(c.from, c.to, monitorWindow)
		if math.Abs((got - c.least).Seconds()) > 1.01 {
			t.Errorf("settling(%v, %v) = %v, want about %v", c.from, c.to, got, c.least)
		}
	}
	if got := settling(0, 0.9, 2*time.Second); got != 2*time.Second {
		t.Errorf("settling(0, 0.9, at most 2s) = %v, want 2s", got)
	}
}

func TestTruthsAreReadAsTheyWereWritten(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	curves := []learnt{made(rng, "pi", 2, 0.1), made(rng, "sort", 3, 0.2)}
	name := filepath.Join(t.TempDir(), "deep", "measured.json")
	if err := writeTruths(name, curves); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var truths []sim.Truth
	if err := json.Unmarshal(text, &truths); err != nil {
		t.Fatal(err)
	}
	if len(truths) != 2 || truths[0].Type != "pi" || truths[1].Type != "sort" {
		t.Fatalf("truths read = %+v, want pi and sort", truths)
	}
	for i, truth := range truths {
		if truth.Noise != digits(curves[i].noise) || len(truth.Points) != len(grid) {
			t.Errorf("truth of %s = %+v, want the noise %v and %d points", truth.Type, truth, digits(curves[i].noise), len(grid))
		}
		for k, p := range truth.Points {
			if want := curves[i].curve.Seconds(grid[k]); p.Residual != grid[k] || math.Abs(p.Seconds/want-1) > 1e-3 {
				t.Errorf("point of %s = %+v, want %v s at %v", truth.Type, p, want, grid[k])
			}
		}
	}
	curves[1].curve = nil
	if err := writeTruths(name, curves); err == nil || !strings.Contains(err.Error(), "sort") {
		t.Errorf("writeTruths(sort without a model) = %v, want an error that names sort", err)
	}
}

func TestGridRises(t *testing.T) {
	for i := 1; i < len(grid); i++ {
		if grid[i] <= grid[i-1] {
			t.Errorf("grid has %v after %v, want rising residuals", grid[i], grid[i-1])
		}
	}
	if grid[0] != 0.05 || grid[len(grid)-1] != 1 {
		t.Errorf("grid spans %v to %v, want 0.05 to 1", grid[0], grid[len(grid)-1])
	}
}

func TestTextPlotShowsSamplesAndCurve(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	l := made(rng, "pi", 2, 0.05)
	for i, line := range l.panel(15) {
		if n := utf8.RuneCountInString(line); n != textWidth+7 {
			t.Errorf("width of the panel's line %d, %q = %d, want %d", i, line, n, textWidth+7)
		}
	}
	text := figureText([]learnt{l, made(rng, "sort", 1, 0.05), {kind: &kind{name: "none"}}})
	if strings.Count(text, "o") < 20 || strings.Count(text, "·") < 20 || !strings.Contains(text, "sort") {
		t.Errorf("figureText() =\n%s\nwant at least 20 samples and 20 points of curves, and sort", text)
	}
	// Little CPU costs much: the panel's last column stands higher than its first.
	lines := l.panel(15)
	if !strings.ContainsAny(string([]rune(lines[2])[45:]), "o·") || !strings.ContainsAny(string([]rune(lines[9])[7:12]), "o·") {
		t.Errorf("panel(15) =\n%s\nwant marks high at the last column and low at the first", strings.Join(lines, "\n"))
	}
}

func TestSVGIsWellFormedAndWithinItsPanels(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	l := made(rng, "pi", 2, 0.3)
	text := figureSVG([]learnt{l, {kind: &kind{name: "none"}}})
	circles, d := 0, xml.NewDecoder(strings.NewReader(text))
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
	if circles != len(l.samples) || !strings.Contains(text, "too few samples") {
		t.Errorf("circles = %d, want %d, one for each sample; says \"too few samples\" = %v, want true", circles, len(l.samples), strings.Contains(text, "too few samples"))
	}
	if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		t.Error("the figure contains NaN or Inf, want numbers only")
	}
	if y := down(1e9, 10); y != above {
		t.Errorf("down(a value beyond the top) = %v, want %v", y, above)
	}
	if y := down(1e-9, 10); y != above+plotH {
		t.Errorf("down(a value below the bottom) = %v, want %v", y, above+plotH)
	}
}

func TestTheReportIsAlsoJSONWithoutSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 11))
	c := &campaign{record: newRecord(), all: []round{{asked: 0.5, got: 0.49, residual: 0.5, tasks: 8}, {why: "stolen"}}}
	var b strings.Builder
	curves := []learnt{made(rng, "pi", 2, 0.1), {kind: &kind{name: "none", paper: 0.08}}}
	if err := table(c, curves).Write(&b, "json"); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Rows   []map[string]any
		Checks []struct {
			What  string
			Holds bool
		}
		Notes []string
	}
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != 2+1+2 || got.Rows[0]["type"] != "pi" || got.Rows[2]["model"] != "pi" || got.Rows[4]["discarded"] != "stolen" {
		t.Errorf("rows = %v, want five: pi first, the model of pi third, stolen last", got.Rows)
	}
	held := map[string]bool{}
	for _, check := range got.Checks {
		held[check.What] = check.Holds
	}
	if !held["NRMSE of pi, out of sample, %, against the paper's worst"] || held["types with a model"] {
		t.Errorf("checks hold = %v, want the NRMSE of pi, and not types with a model", held)
	}
}
