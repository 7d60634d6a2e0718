package full

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// work is a script that runs once for each value, which stands for {}.
type work struct {
	name, script string
	values       int
	each         int // lines that each value prints, 0 for one
}

func (w work) lines() int { return w.values * max(w.each, 1) }

func (w work) input() io.Reader {
	var all strings.Builder
	for i := range w.values {
		all.WriteString(strconv.Itoa(i) + "\n")
	}
	return strings.NewReader(all.String())
}

const (
	compilations = 24
	smallFiles   = 200
)

// works makes the files that the works read.
func (m *measurement) works(ctx context.Context) ([]work, error) {
	compile, err := exec.CommandContext(ctx, "go", "tool", "-n", "compile").Output()
	if err != nil {
		return nil, fmt.Errorf("go tool -n compile: %w", err)
	}
	if err := os.WriteFile(m.path("small.go"), []byte(source()), 0o600); err != nil {
		return nil, err
	}
	for i := range smallFiles {
		if err := os.WriteFile(m.path("file-"+strconv.Itoa(i)), []byte(strings.Repeat("a few words\n", 100)), 0o600); err != nil {
			return nil, err
		}
	}
	loop, err := m.loopOf(ctx)
	return []work{
		{name: "compilations", values: compilations, script: fmt.Sprintf("o=$(mktemp) && %s -p small -o $o %s && rm $o && echo {}",
			strings.TrimSpace(string(compile)), m.path("small.go"))},
		{name: "small files", values: smallFiles, script: "wc -w < " + m.path("file-") + "{}"},
		loop,
	}, err
}

// source is a program of some hundred small functions.
func source() string {
	var b strings.Builder
	b.WriteString("package small\n")
	for i := range 150 {
		fmt.Fprintf(&b, "func F%d(a, b int) int { s := a; for i := 0; i < b; i++ { if i%%%d == 0 { s += i * a } else { s ^= b } }; return s }\n", i, i+2)
	}
	return b.String()
}

// loopScript prints a line for each of its turns.
const loopScript = "i=0; while [ $i -lt %d ]; do j=0; while [ $j -lt 10000 ]; do j=$((j+1)); done; i=$((i+1)); echo {}; done"

// loopOf is a loop that takes the time that was asked for on an idle core.
func (m *measurement) loopOf(ctx context.Context) (work, error) {
	const turns = 100
	begin := time.Now()
	if err := exec.CommandContext(ctx, "sh", "-c", fmt.Sprintf(loopScript, turns)).Run(); err != nil {
		return work{}, err
	}
	n := max(int(turns*m.loop.Seconds()/time.Since(begin).Seconds()), 1)
	return work{name: "loop", values: 1, each: n, script: fmt.Sprintf(loopScript, n)}, nil
}
