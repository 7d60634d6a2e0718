package main

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func random(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// prose draws lines of few words, so that words repeat and lines collide.
func prose(rng *rand.Rand, n int) string {
	words := strings.Fields("the quick brown fox Jumps over_the lazy-dog 42 func return, err err2 ERR")
	var b strings.Builder
	for range n {
		for range rng.IntN(4) {
			b.WriteString(words[rng.IntN(len(words))] + " ")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestPi(t *testing.T) {
	if got := estimatePi(1_000_000); math.Abs(got-math.Pi) > 1e-3 {
		t.Errorf("estimatePi(1000000) = %v, want π within 0.001", got)
	}
}

func TestWordCountAgainstASimpleCount(t *testing.T) {
	text := prose(random(t), 2000)
	want := map[string]int{}
	for _, word := range regexp.MustCompile(`[a-z0-9]+`).FindAllString(strings.ToLower(text), -1) {
		want[word]++
	}
	got, err := countWords(strings.NewReader(text))
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("countWords() = %v, %v\nwant %v", got, err, want)
	}
}

func TestSearchAgainstContains(t *testing.T) {
	text := prose(random(t), 2000)
	want := map[string]int{}
	for line := range strings.Lines(text) {
		if strings.Contains(line, "fox ") {
			want["fox "] += strings.Count(line, "fox ")
		}
	}
	got, err := search(strings.NewReader(text), regexp.MustCompile("fox "))
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("search(fox) = %v, %v, want %v", got, err, want)
	}
}

// Enough lines for several runs, so that merging is tested too.
func TestJoinAgainstAWordCount(t *testing.T) {
	dir, text := t.TempDir(), prose(random(t), 2000)
	t.Setenv("LULL_OUT", dir)
	keys := filepath.Join(dir, "keys")
	if err := os.WriteFile(keys, []byte("Fox\nerr\nabsent\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	stdin(t, text)
	if err := join([]string{keys}); err != nil {
		t.Fatal(err)
	}
	counts, err := countWords(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "joined"))
	if want := fmt.Sprintf("0\tabsent\n%d\terr\n%d\tfox\n", counts["err"], counts["fox"]); err != nil || string(got) != want {
		t.Errorf("joined = %q, %v, want %q", got, err, want)
	}
}

// stdin feeds a text to a program under test.
func stdin(t *testing.T, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stdin")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	before := os.Stdin
	os.Stdin = f
	t.Cleanup(func() { os.Stdin = before; _ = f.Close() })
}

func TestSortAgainstSortingInMemory(t *testing.T) {
	rng, dir := random(t), t.TempDir()
	var lines []string
	const most = 64 << 10
	for range 3 * most / 40 {
		lines = append(lines, fmt.Sprintf("%d\t%x", rng.IntN(50), rng.Uint64()%1e6)+strings.Repeat("y", rng.IntN(60)))
	}
	for _, by := range []order{bytes.Compare, byFrequency} {
		var sorted bytes.Buffer
		if err := sortExternally(dir, strings.NewReader(strings.Join(lines, "\n")), &sorted, by, most); err != nil {
			t.Fatal(err)
		}
		if runs, _ := filepath.Glob(filepath.Join(dir, "run-*")); len(runs) < 2 {
			t.Fatalf("runs spilt = %d, want at least 2", len(runs))
		}
		want := slices.Clone(lines)
		slices.SortFunc(want, func(a, b string) int { return by([]byte(a), []byte(b)) })
		if sorted.String() != strings.Join(want, "\n")+"\n" {
			t.Errorf("sortExternally() = %d bytes, want the %d lines of the input in order", sorted.Len(), len(want))
		}
	}
}

func TestByFrequency(t *testing.T) {
	lines := [][]byte{[]byte("9\tb"), []byte("10\tz"), []byte("no count"), []byte("9\ta")}
	slices.SortFunc(lines, byFrequency)
	if got := string(bytes.Join(lines, []byte("|"))); got != "10\tz|9\ta|9\tb|no count" {
		t.Errorf("lines by frequency = %q, want the most frequent first, then by name", got)
	}
}

func TestTeraSortIsATotalOrderOverItsParts(t *testing.T) {
	rng := random(t)
	var in bytes.Buffer
	if err := writeRecords(&in, rng, 20_000); err != nil {
		t.Fatal(err)
	}
	records := in.Bytes()
	t.Chdir(t.TempDir())
	t.Setenv("LULL_OUT", ".")
	if err := partition(".", records, boundaries(records)); err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	for p := range partitions {
		if err := sortPartition(".", p); err != nil {
			t.Fatal(err)
		}
		part, err := os.ReadFile(fmt.Sprintf("part-%d", p))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(part) / recordBytes; n < 20_000/partitions/2 {
			t.Errorf("records in part %d = %d, want at least half of an even share, %d", p, n, 20_000/partitions/2)
		}
		all = append(all, slices.Collect(slices.Chunk(part, recordBytes))...)
	}
	if !slices.IsSortedFunc(all, byKey) {
		t.Error("the parts one after the other are not in order, want a total order")
	}
	before := slices.Collect(slices.Chunk(records, recordBytes))
	slices.SortFunc(before, bytes.Compare)
	slices.SortFunc(all, bytes.Compare)
	if !slices.EqualFunc(before, all, bytes.Equal) {
		t.Errorf("records of all parts = %d, want the %d of the input", len(all), len(before))
	}
}

func TestPartitionOfNothing(t *testing.T) {
	if got := boundaries(nil); len(got) != 0 {
		t.Errorf("boundaries(nil) = %v, want none", got)
	}
}

func TestKMeansConvergesToTheCentresOfItsPoints(t *testing.T) {
	rng := random(t)
	truth := drawCentres(rng)
	var in bytes.Buffer
	if err := drawPoints(&in, rng, truth, 20_000); err != nil {
		t.Fatal(err)
	}
	centres := slices.Clone(truth)
	for i := range centres {
		for k := range centres[i] {
			centres[i][k] += 3 * rng.NormFloat64()
		}
	}
	last := math.Inf(1)
	for range 10 {
		next, err := iterate(bytes.NewReader(in.Bytes()), centres)
		if err != nil {
			t.Fatal(err)
		}
		cost := 0.0
		if err := eachPoint(bytes.NewReader(in.Bytes()), func(p point, _ []byte) error {
			cost += distance(p, next[nearest(p, next)])
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if cost > last*(1+1e-9) {
			t.Fatalf("cost after iterate() = %v, want at most %v, as before", cost, last)
		}
		centres, last = next, cost
	}
	for i := range truth {
		if d := math.Sqrt(distance(truth[i], centres[i])); d > 3 {
			t.Errorf("centre %d is %.1f from where its points were drawn, want at most 3", i, d)
		}
	}
}

func TestClassifyNamesTheNearestCentre(t *testing.T) {
	centres := []point{{}, {10}}
	var in, out strings.Builder
	for _, x := range []float64{1, 9, 4.9} {
		if err := writePoint(&in, point{x}); err != nil {
			t.Fatal(err)
		}
	}
	w := bufio.NewWriter(&out)
	if err := classify(strings.NewReader(in.String()), w, centres); err != nil {
		t.Fatal(err)
	}
	_ = w.Flush()
	var classes []string
	for line := range strings.Lines(out.String()) {
		classes = append(classes, line[:1])
	}
	if got := strings.Join(classes, ""); got != "010" {
		t.Errorf("classify() = classes %s, want 010", got)
	}
}

func TestBadInputsAreNamed(t *testing.T) {
	if _, err := iterate(strings.NewReader("1 2 x\n"), make([]point, 2)); err == nil || !strings.Contains(err.Error(), "1 2 x") {
		t.Errorf("iterate(a bad point) = %v, want an error that contains 1 2 x", err)
	}
	if err := run([]string{"pi"}); err == nil {
		t.Error("run(pi without a number of points) = nil error, want an error")
	}
	if err := run([]string{"dance"}); err == nil || !strings.Contains(err.Error(), "dance") {
		t.Errorf("run(dance) = %v, want an error that names dance", err)
	}
}
