// Package script runs golden scripts. A script has blocks, separated by empty lines. Each block has
// commands, then a line ----, then the expected output. Lines that begin with # are comments. With
// -rewrite, a test replaces the expected output by the actual one: check the diff.
//
//	# A host that is silent is lost.
//	host a slots=2
//	pass for=30s silent=a
//	----
//	lost a after 30s
package script

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the scripts' results; read the diff")

// Command executes one command and returns its output; each line ends with a line end.
type Command func(verb string, args Args) string

// Run runs each script that matches a pattern of file names, in a subtest of its own. newCommand returns the
// function that executes the commands of one script.
func Run(t *testing.T, pattern string, newCommand func(*testing.T) Command) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("Glob(%s) = %q, %v, want scripts", pattern, files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { run(t, file, newCommand(t)) })
	}
}

func run(t *testing.T, file string, obey Command) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rewritten []string
	for i, block := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		commands, want, silent := cut(block)
		got := runCommands(t, commands, obey)
		if got != want && !*rewrite {
			t.Errorf("%s, block %d:\n%s\ngot:\n%swant:\n%s", file, i+1, commands, got, want)
		}
		if got != "" || !silent {
			commands += "----\n" + got
		}
		rewritten = append(rewritten, commands)
	}
	if *rewrite {
		if err := os.WriteFile(file, []byte(strings.Join(rewritten, "\n")), 0o644); err != nil { //nolint:gosec // a file of the repository
			t.Fatal(err)
		}
	}
}

// cut divides a block into its commands and their expected output. silent is true if the block has no line
// ----, so that its commands must print nothing.
func cut(block string) (commands, want string, silent bool) {
	commands, want, printed := strings.Cut(block+"\n", "----\n")
	return commands, want, !printed
}

func runCommands(t *testing.T, commands string, obey Command) string {
	var out strings.Builder
	for line := range strings.Lines(commands) {
		if words := strings.Fields(line); len(words) > 0 && !strings.HasPrefix(words[0], "#") {
			out.WriteString(obey(words[0], Args{t, words[1:]}))
		}
	}
	return out.String()
}

// Args are a command's words: names, then key=value pairs.
type Args struct {
	t     *testing.T
	Words []string
}

// Name returns the first word: the name of the thing that the command is about.
func (a Args) Name() string {
	if len(a.Words) == 0 {
		a.t.Fatal("command without words, want the name of what it is about")
	}
	return a.Words[0]
}

// Get returns the value of a key, or otherwise if the command does not have the key.
func (a Args) Get(key, otherwise string) string {
	for _, w := range a.Words {
		if v, ok := strings.CutPrefix(w, key+"="); ok {
			return v
		}
	}
	return otherwise
}

// Has reports whether a word is among the arguments.
func (a Args) Has(word string) bool {
	for _, w := range a.Words {
		if w == word {
			return true
		}
	}
	return false
}

// Number returns the value of a key as a number, or otherwise if the command does not have the key.
func (a Args) Number(key string, otherwise float64) float64 {
	v, err := strconv.ParseFloat(a.Get(key, fmt.Sprint(otherwise)), 64)
	if err != nil {
		a.t.Fatalf("%v: %s is no number: %v", a.Words, key, err)
	}
	return v
}

// Span returns the value of a key as a duration, 0 if the command does not have the key.
func (a Args) Span(key string) time.Duration {
	d, err := time.ParseDuration(a.Get(key, "0s"))
	if err != nil {
		a.t.Fatalf("%v: %s is no duration: %v", a.Words, key, err)
	}
	return d
}

// List returns the comma-separated values of a key, nil if the command does not have the key.
func (a Args) List(key string) []string {
	if v := a.Get(key, ""); v != "" {
		return strings.Split(v, ",")
	}
	return nil
}
