package examples

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestTutorial writes the files of docs/tutorial.md, runs its commands in one shell, and
// compares what they print with what the page shows.
func TestTutorial(t *testing.T) {
	page, err := os.ReadFile("../../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	work := passable(t)
	sh := startBash(t, work)
	ran := 0
	for _, b := range blocks(string(page)) {
		switch kind, file, _ := strings.Cut(b.info, " "); kind {
		case "yaml":
			if err := os.WriteFile(filepath.Join(work, file), []byte(b.text), 0o644); err != nil {
				t.Fatal(err)
			}
		case "console":
			for _, s := range steps(b.text) {
				got := sh.run(s.command)
				if !shows(s.output, got) && !shows(s.output, progress.ReplaceAllString(got, "")) {
					t.Fatalf("line %d: $ %s\nprinted:\n%s\nthe page shows:\n%s", b.line, s.command, got, s.output)
				}
				ran++
			}
		default:
			t.Errorf("line %d: block of kind %q, want yaml with a file or console", b.line, b.info)
		}
	}
	if ran < 20 {
		t.Errorf("commands that ran = %d, want at least 20", ran)
	}
}

// progress matches the lines that lull run prints while tasks wait for a busy machine, which a page need not show.
var progress = regexp.MustCompile(`(?m)^\S+: \d+ of \d+ tasks? done, .*\n`)

// block is a fenced block of a page.
type block struct {
	line int
	info string // what follows the fence
	text string
}

func blocks(page string) []block {
	var all []block
	open := false
	n := 0
	for line := range strings.Lines(page) {
		n++
		info, fence := strings.CutPrefix(strings.TrimRight(line, "\n"), "```")
		switch {
		case fence && open:
			open = false
		case fence:
			open = true
			all = append(all, block{line: n, info: info})
		case open:
			all[len(all)-1].text += line
		}
	}
	return all
}

// step is a command of a block and the output that the page shows for it.
type step struct{ command, output string }

func steps(text string) []step {
	var all []step
	for line := range strings.Lines(text) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			all = append(all, step{command: strings.TrimRight(command, "\n")})
		} else if len(all) > 0 {
			all[len(all)-1].output += line
		}
	}
	return all
}

// shows reports whether an output is what the page shows. There, … stands for any text, a
// line of it alone for any lines, and spaces between words for any number of them.
func shows(shown, got string) bool {
	if shown == "" {
		return true
	}
	var pattern strings.Builder
	pattern.WriteString(`^`)
	for line := range strings.Lines(shown) {
		if strings.TrimSpace(line) == "…" {
			pattern.WriteString(`(?:.*\n)*`)
			continue
		}
		parts := strings.Split(strings.Join(strings.Fields(line), " "), "…")
		for i := range parts {
			parts[i] = strings.ReplaceAll(regexp.QuoteMeta(parts[i]), " ", " +")
		}
		pattern.WriteString(strings.Join(parts, `.*`) + ` *\n`)
	}
	return regexp.MustCompile(pattern.String() + `$`).MatchString(got)
}

// passable makes a folder that others may pass through: tasks of an agent that is root run
// as another user.
func passable(t *testing.T) string {
	work := t.TempDir()
	must(t, os.Chmod(filepath.Dir(work), 0o755))
	must(t, os.Chmod(work, 0o755))
	return work
}

// bash is one shell that runs a page's commands in turn.
type bash struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
	n   int
}

func startBash(t *testing.T, work string) *bash {
	cmd := exec.Command("bash", "--norc")
	cmd.Dir = work
	cmd.Env = append(os.Environ(), "HOME="+work, "LULL_DATA="+filepath.Join(work, "data"),
		"PATH="+filepath.Dir(lull)+":"+os.Getenv("PATH"))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(9*time.Minute, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() {
		late.Stop()
		_, _ = io.WriteString(in, "kill $(jobs -p) 2>/dev/null; wait; exit\n")
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
	})
	return &bash{t: t, in: in, out: bufio.NewReader(out)}
}

// run runs a command in the shell's own process, so that its variables and folder last,
// and returns what it printed on both outputs. A failure ends the test.
func (s *bash) run(command string) string {
	s.t.Helper()
	s.n++
	mark := fmt.Sprintf("--- %d ended with ", s.n)
	if _, err := fmt.Fprintf(s.in, "{ %s\n} 2>&1; echo \"%s$?\"\n", command, mark); err != nil {
		s.t.Fatalf("writing $ %s to the shell = %v, want no error", command, err)
	}
	var printed strings.Builder
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			s.t.Fatalf("$ %s: output ended with %v, want the exit code; printed:\n%s", command, err, &printed)
		}
		text, status, ended := strings.Cut(line, mark)
		printed.WriteString(text)
		if !ended {
			continue
		}
		if code, err := strconv.Atoi(strings.TrimSpace(status)); err != nil || code != 0 {
			s.t.Fatalf("$ %s = exit code %s, want 0; printed:\n%s", command, strings.TrimSpace(status), &printed)
		}
		return printed.String()
	}
}

func TestShows(t *testing.T) {
	for _, c := range []struct {
		shown, got string
		want       bool
	}{
		{"", "anything\n", true},
		{"hello\n", "hello\n", true},
		{"hello\n", "hello there\n", false},
		{"HOST  …\n…  up  …\n", "HOST STATE\nvm     up   0/2\n", true},
		{"HOST  …\n…  up  …\n", "HOST STATE\nvm     lost   0/2\n", false},
		{"…\nlast\n", "a\nb\nlast\n", true},
		{"…\nlast\n", "last\nb\n", false},
		{"a…c\n", "abc\n", true},
	} {
		if got := shows(c.shown, c.got); got != c.want {
			t.Errorf("shows(%q, %q) = %v, want %v", c.shown, c.got, got, c.want)
		}
	}
}

func TestAPageNeedNotShowProgress(t *testing.T) {
	waited := "echo-mjilasq2uw: 0 of 1 task done, 0 running; the machine is 96 % busy with its own work\nhello\n"
	if shows("hello\n", waited) || !shows("hello\n", progress.ReplaceAllString(waited, "")) {
		t.Errorf("shows(hello, %q) = true, or false once its progress is removed, want the reverse", waited)
	}
}
