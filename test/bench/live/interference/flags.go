package interference

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lull/cmd/lull/serve"
	"lull/test/bench/live/stage"
)

// list is a flag of names with commas between.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

func (l *list) Set(text string) error {
	if *l = strings.FieldsFunc(text, func(r rune) bool { return r == ',' }); len(*l) == 0 {
		return errors.New("name at least one")
	}
	return nil
}

// words are flags for another program, with spaces between and no quotes.
type words []string

func (w *words) String() string { return strings.Join(*w, " ") }

func (w *words) Set(text string) error {
	*w = strings.Fields(text)
	return serve.CheckUp(*w)
}

// check reads the flags' lists. The primary alone is always measured: all else
// is compared with it.
func (f *interfering) check() (loads []float64, err error) {
	for _, text := range f.loads {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x > 0 && x < 100) { // NaN is neither
			return nil, fmt.Errorf("--loads %s: use percentages below 100, such as 30,60,85", text)
		}
		loads = append(loads, x/100)
	}
	for _, name := range f.ways {
		if !slices.Contains(stage.AllWays(), name) {
			return nil, fmt.Errorf("--ways %s: use some of %s", name, strings.Join(stage.AllWays(), ","))
		}
	}
	if !slices.Contains(f.ways, stage.Alone) {
		f.ways = append(list{stage.Alone}, f.ways...)
	}
	if len(f.lull) > 0 && !slices.Contains(f.ways, stage.Lulled) {
		return nil, fmt.Errorf("--lull %q: name %s among the --ways", f.lull.String(), stage.Lulled)
	}
	for _, name := range f.batch {
		if stage.Copies[name] == 0 {
			return nil, fmt.Errorf("--batch %s: use some of pi,memory,words,fork", name)
		}
	}
	if !slices.Contains([]string{"go", "workers", "pinned"}, f.primary) {
		return nil, fmt.Errorf("--primary %s: use go, workers or pinned", f.primary)
	}
	if f.rounds < 1 || !(f.seconds >= 0.1) {
		return nil, errors.New("--rounds and --seconds: measure at least once, and for 0.1 s")
	}
	return loads, nil
}
