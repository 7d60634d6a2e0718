package chaos

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// corpus writes files of words into dir and returns how often each word
// stands in them: the oracle.
func corpus(dir string, rng *rand.Rand) (map[string]int, error) {
	counts := map[string]int{}
	for i := range 12 {
		text := page(rng, counts)
		name := filepath.Join(dir, fmt.Sprintf("page-%02d.txt", i))
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

func page(rng *rand.Rand, counts map[string]int) string {
	var b strings.Builder
	for line := range 400 {
		for range 1 + rng.IntN(12) {
			word := fmt.Sprintf("w%d", rng.IntN(300))
			counts[word]++
			b.WriteString(word + " ")
		}
		if line < 399 { // the last line has no end: the readers must cope
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// job is the word count: small splits make many tasks, and a pause in each
// makes the job long enough to be hit.
const job = `name: wordcount
output: %s
place: fast
stages:
  - name: map
    inputs: ["%s/*.txt"]
    split: 4KB
    retries: 0
    gives: 1.2
    command: |
      sleep 0.05
      tr -s ' ' '\n' | grep . | awk -v n="$LULL_PARTITIONS" '
        { count[$1]++ }
        END { for (w in count) print w, count[w] > (ENVIRON["LULL_OUT"] "/part-" (substr(w, 2) %% n)) }'
  - name: reduce
    from: {stage: map, by: partition}
    tasks: 3
    retries: 0
    command: |
      sleep 0.05
      awk '{ count[$1] += $2 } END { for (w in count) print w, count[w] > (ENVIRON["LULL_OUT"] "/counts") }'
`

// compare reads the published counts and says where they differ.
func compare(output string, want map[string]int) error {
	files, err := filepath.Glob(filepath.Join(output, "reduce", "*", "counts"))
	if err != nil {
		return err
	}
	got := map[string]int{}
	for _, file := range files {
		if err := read(file, got); err != nil {
			return err
		}
	}
	return differ(got, want)
}

func read(file string, counts map[string]int) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		var word string
		var n int
		if _, err := fmt.Sscan(line, &word, &n); err != nil {
			return fmt.Errorf("%s: line %q: %w", file, line, err)
		}
		counts[word] += n
	}
	return nil
}

func differ(got, want map[string]int) error {
	words := map[string]bool{}
	for w := range got {
		words[w] = true
	}
	for w := range want {
		words[w] = true
	}
	var wrong []string
	for w := range words {
		if got[w] != want[w] {
			wrong = append(wrong, fmt.Sprintf("%s = %d, want %d", w, got[w], want[w]))
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	sort.Strings(wrong)
	return fmt.Errorf("wrong counts of %d words: %s", len(wrong), strings.Join(wrong[:min(5, len(wrong))], "; "))
}
