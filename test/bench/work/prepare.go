package main

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// sizes of the prepared inputs. Splits of them are handed out in turn.
const (
	textBytes  = 120_000_000
	records    = 720_000   // 72 MB
	points     = 1_200_000 // some 67 MB
	pageBytes  = 32_000    // of text; its words are one page of matches
	inputsSeed = 1
)

// prepare writes all inputs into a folder: the same ones each time.
func prepare(args []string) error {
	dir := args[0]
	centres := drawCentres(stream("centres"))
	for _, input := range []struct {
		name  string
		write func(w *bufio.Writer) error
	}{
		{"text", func(w *bufio.Writer) error { return writeText(w, filepath.Join(goRoot(), "src"), textBytes) }},
		{"matches", func(w *bufio.Writer) error { return writeMatches(w, filepath.Join(dir, "text")) }},
		{"records", func(w *bufio.Writer) error { return writeRecords(w, stream("records"), records) }},
		{"points", func(w *bufio.Writer) error { return drawPoints(w, stream("points"), centres, points) }},
		{"centres", func(w *bufio.Writer) error { return writePoints(w, centres) }},
	} {
		if err := writeFile(filepath.Join(dir, input.name), input.write); err != nil {
			return fmt.Errorf("%s: %w", input.name, err)
		}
	}
	return nil
}

// stream is the random stream of one input.
func stream(name string) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails
	return rand.New(rand.NewPCG(inputsSeed, h.Sum64()))
}

// goRoot is where Go's own source is: of the environment, for the bench asks
// the go command, or as the program was built.
func goRoot() string {
	if root := os.Getenv("GOROOT"); root != "" {
		return root
	}
	return runtime.GOROOT() //nolint:staticcheck // the fallback of a program run by hand
}

// writeText joins the Go files below root, again and again until there are
// enough bytes.
func writeText(w io.Writer, root string, bytes int) error {
	for bytes > 0 {
		before := bytes
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || bytes <= 0 || d.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			bytes -= len(text)
			_, err = w.Write(text)
			return err
		})
		if err != nil {
			return err
		}
		if bytes == before {
			return &fs.PathError{Op: "find Go files below", Path: root, Err: fs.ErrNotExist}
		}
	}
	return nil
}

// writeMatches writes what a search for words leaves of each page of a text:
// the input of the sort that follows it.
func writeMatches(w io.Writer, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // it was only read
	r := bufio.NewReaderSize(f, bufferSize)
	for {
		page := io.LimitReader(r, pageBytes)
		counts, err := countWords(page)
		if err != nil || len(counts) == 0 {
			return err
		}
		if err := writeCounts(w, counts); err != nil {
			return err
		}
	}
}

// writeRecords writes records of 100 bytes: a random key of printable letters,
// filler, and a line end.
func writeRecords(w io.Writer, rng *rand.Rand, n int) error {
	r := []byte(strings.Repeat("x", recordBytes-1) + "\n")
	for range n {
		for i := range keyBytes {
			r[i] = ' ' + 1 + byte(rng.IntN(94))
		}
		if _, err := w.Write(r); err != nil {
			return err
		}
	}
	return nil
}

func drawCentres(rng *rand.Rand) []point {
	centres := make([]point, clusters)
	for i := range centres {
		for k := range centres[i] {
			centres[i][k] = 100 * rng.Float64()
		}
	}
	return centres
}

// drawPoints writes points around centres.
func drawPoints(w io.Writer, rng *rand.Rand, centres []point, n int) error {
	for range n {
		p := centres[rng.IntN(len(centres))]
		for k := range p {
			p[k] += 4 * rng.NormFloat64()
		}
		if err := writePoint(w, p); err != nil {
			return err
		}
	}
	return nil
}

// printRecords writes so many records to standard output.
func printRecords(args []string) error {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(os.Stdout, bufferSize)
	if err := writeRecords(w, stream("records"), n); err != nil {
		return err
	}
	return w.Flush()
}
