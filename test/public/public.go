// Package public reads public traces from the folder shared/data beside the repository. The traces are not
// part of the repository. Where they are absent, the tests and experiments that need them are skipped.
package public

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

// Folder is the folder of the public series, beside the repository.
func Folder() string { return filepath.Join(filepath.Dir(tables.Module()), "shared", "data") }

// Step is the time between samples of the public series.
const Step = 5 * time.Minute

// Path returns the path of a file: in Folder if name is a bare file name, else name itself.
func Path(name string) string {
	if filepath.Base(name) != name {
		return name
	}
	return filepath.Join(Folder(), name)
}

// Rows reads a gzipped CSV file (see Path) and calls row with each row after the header. The slice is valid
// only during the call.
func Rows(name string, row func([]string) error) error {
	file, err := os.Open(Path(name))
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

// Absent reports whether an error means that the public traces are not on this machine.
func Absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// Number parses a field. It returns NaN if the field is no number, for example empty.
func Number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// Begin is the time at which the public series are assumed to begin. Their own times are seconds from 0.
var Begin = time.Date(2013, 7, 1, 0, 0, 0, 0, time.UTC)

// Usage reads the CPU usage series of a set, by id. It limits values to 0–100 %, as agents do.
func Usage(set string, begin time.Time) (map[string]*series.Series, error) {
	return UsageFile("cpu_"+set+".csv.gz", begin, set == "nab_ec2")
}

// UsageFile reads the CPU usage series of a file, by id. A row of the file has a whole series or, if long is
// set, one sample.
func UsageFile(name string, begin time.Time, long bool) (map[string]*series.Series, error) {
	all := map[string]*series.Series{}
	add := func(id string, slot int, value float64) {
		s := all[id]
		if s == nil {
			s = &series.Series{Start: begin, Step: Step}
			all[id] = s
		}
		for len(s.Mean) <= slot {
			s.Mean = append(s.Mean, float32(math.NaN()))
		}
		s.Mean[slot] = float32(min(max(value/100, 0), 1))
		if math.IsNaN(value) {
			s.Mean[slot] = float32(math.NaN())
		}
	}
	err := Rows(name, func(f []string) error {
		if long {
			add(f[0], int(Number(f[1])/Step.Seconds()), Number(f[2]))
			return nil
		}
		for slot, text := range f[1:] {
			add(f[0], slot, Number(text))
		}
		return nil
	})
	return all, err
}
