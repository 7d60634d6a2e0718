package pure

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"lull/classifier/series"
	"lull/test/tables"
)

// publicData is the folder of the public series, beside the repository.
func publicData() string { return filepath.Join(tables.Module(), "..", "shared", "data") }

// publicStep is the time between samples of the public series.
const publicStep = 5 * time.Minute

// reference is what stats_utilization says of a series.
type reference struct {
	class              string
	days, swing, daily float64
}

// clear reports whether the reference class stands far from its bounds.
func (r reference) clear() bool {
	still := r.swing <= 4
	return still || r.swing >= 6 && (r.daily <= 0.3 || r.daily >= 0.5)
}

// table reads a gzipped CSV and hands out its rows after the header. The row is used again.
func table(name string, row func([]string) error) error {
	file, err := os.Open(filepath.Join(publicData(), name))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	z, err := gzip.NewReader(file)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	reader := csv.NewReader(z)
	reader.ReuseRecord = true
	for first := true; ; first = false {
		fields, err := reader.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err == nil && !first:
			err = row(fields)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}

// absent reports whether an error says that the public series are not there.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// references reads the reference classes by set and series.
func references() (map[string]map[string]reference, error) {
	all := map[string]map[string]reference{}
	err := table("stats_utilization.csv.gz", func(f []string) error {
		r := reference{class: f[17], days: number(f[4]), swing: number(f[11]), daily: number(f[13])}
		if all[f[0]] == nil {
			all[f[0]] = map[string]reference{}
		}
		all[f[0]][f[2]] = r
		return nil
	})
	return all, err
}

func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// monthBegin is when the public series are taken to begin: their own times are seconds from 0.
var monthBegin = time.Date(2013, 7, 1, 0, 0, 0, 0, time.UTC)

// usage reads the series of a set by their ids. Values above all cores are cut, as agents do.
func usage(set string, begin time.Time) (map[string]*series.Series, error) {
	all := map[string]*series.Series{}
	add := func(id string, slot int, value float64) {
		s := all[id]
		if s == nil {
			s = &series.Series{Start: begin, Step: publicStep}
			all[id] = s
		}
		for len(s.Mean) <= slot {
			s.Mean = append(s.Mean, float32(math.NaN()))
		}
		s.Mean[slot] = float32(min(max(value/100, 0), 1))
		if value != value {
			s.Mean[slot] = float32(math.NaN())
		}
	}
	long := set == "nab_ec2"
	err := table("cpu_"+set+".csv.gz", func(f []string) error {
		if long {
			add(f[0], int(number(f[1])/publicStep.Seconds()), number(f[2]))
			return nil
		}
		for slot, text := range f[1:] {
			add(f[0], slot, number(text))
		}
		return nil
	})
	return all, err
}
