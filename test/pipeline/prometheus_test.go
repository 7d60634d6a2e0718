package pipeline

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve/local"
	"lull/test/poll"
)

// monthOfScrapes is how long the server of the test has scraped, in steps of two minutes: as far back
// as an import looks, and a day more.
const monthOfScrapes = 32 * 720

// realPrometheus starts a Prometheus server with a month of two hosts, which asks for a password.
// It is bound to loopback, scrapes nothing and loads few samples at once.
func realPrometheus(t *testing.T) (url string) {
	t.Helper()
	for _, tool := range []string{"prometheus", "promtool"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs ", tool, " (Debian's package prometheus)")
		}
	}
	dir := t.TempDir()
	scrapes, data := filepath.Join(dir, "scrapes.txt"), filepath.Join(dir, "data")
	writeScrapes(t, scrapes)
	if out, err := exec.CommandContext(t.Context(), "promtool", "tsdb", "create-blocks-from", "openmetrics", "--quiet", scrapes, data).CombinedOutput(); err != nil {
		t.Fatalf("promtool tsdb create-blocks-from = %v, want no error\n%s", err, out)
	}
	hash, err := bcrypt.GenerateFromPassword([]byte("word"), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "prometheus.yml"), "global: {}\n")
	write(t, filepath.Join(dir, "web.yml"), fmt.Sprintf("basic_auth_users:\n  reader: %s\n", hash))
	address := "127.0.0.1:" + port(t)
	server := exec.Command("prometheus", "--config.file", filepath.Join(dir, "prometheus.yml"), "--web.config.file", filepath.Join(dir, "web.yml"),
		"--storage.tsdb.path", data, "--storage.tsdb.retention.time", "60d", "--query.max-samples", "1000", "--web.listen-address", address)
	var said safeBuffer
	server.Stderr = &said
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		_ = server.Wait()
		if t.Failed() {
			t.Log(said.String())
		}
	})
	url = "http://" + address
	if !poll.Until(patience, 50*time.Millisecond, func() bool { return ready(t, url) }) {
		t.Fatalf("prometheus at %s not ready within %v, want it ready", url, patience)
	}
	return url
}

func ready(t *testing.T, url string) bool {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/-/ready", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.SetBasicAuth("reader", "word")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	_ = answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// writeScrapes writes what two hosts used, as percent of one host and share of the other by name.
func writeScrapes(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriter(f)
	_, _ = fmt.Fprintln(out, "# HELP cpu_share of the host\n# TYPE cpu_share gauge")
	now := time.Now().Unix() / 120 * 120
	for _, host := range []string{"calm", "moody"} {
		for i := range monthOfScrapes {
			at := now - 120*int64(monthOfScrapes-1-i)
			share := 0.1
			if host == "moody" {
				share = float64(i%720) / 720
			}
			_, _ = fmt.Fprintf(out, "cpu_share{instance=\"%s:9100\",team=\"%s\"} %.3f %d\n", host, map[string]string{"calm": "db", "moody": "web"}[host], share, at)
		}
	}
	_, _ = fmt.Fprintln(out, "# EOF")
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// A month of a real server is imported by the commands that a person would give. A second import changes
// nothing, and mistakes give an error message and its exit code.
func TestHistoryIsImportedFromPrometheus(t *testing.T) {
	url := realPrometheus(t)
	data := filepath.Join(t.TempDir(), "data")
	start(t, local.Config{Data: data})
	secret := filepath.Join(t.TempDir(), "secret")
	write(t, secret, "reader:word\n")
	if err := os.Chmod(secret, 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(query string, more ...string) (string, int) {
		args := append([]string{"history", "import", "--data", data, "--prometheus", url, "--query", query}, more...)
		cmd := exec.CommandContext(t.Context(), command(t), args...)
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	known := []string{"--prometheus-token-file", secret}
	for what, c := range map[string]struct {
		query string
		more  []string
		want  string
	}{
		"no password": {"cpu_share", nil, "(401"},
		"no label":    {"avg(cpu_share)", known, `has no label "instance"`},
		"two series":  {`label_replace(cpu_share, "instance", "same", "", "")`, known, "host same at "},
		"a mistake":   {"avg by (", known, "correct --query"},
		"percent":     {"100 * cpu_share", known, "say --unit percent"},
		"NaN":         {"cpu_share / (cpu_share - cpu_share)", known, "divides by zero"},
		"nothing":     {"cpu_shares", known, "no value in the last 31 days"},
	} {
		if out, code := run(c.query, c.more...); code != exit.Usage || !strings.Contains(out, c.want) {
			t.Errorf("import of %s = exit code %d, want %d and %q:\n%s", what, code, exit.Usage, c.want, out)
		}
	}
	known = append(known, "--tenant-label", "team")
	out, code := run("cpu_share", known...)
	if code != 0 || !strings.Contains(out, "samples of 2 hosts") || !strings.Contains(out, "Imported 44") {
		t.Errorf("import = exit code %d, want 0, \"samples of 2 hosts\" and \"Imported 44\":\n%s", code, out)
	}
	// A sample of each host is new for each step of two minutes that ends between the imports.
	same := regexp.MustCompile("Nothing changes: |Imported [24] new samples in ")
	if out, code := run("cpu_share", known...); code != 0 || !same.MatchString(out) {
		t.Errorf("second import = exit code %d, want 0 and %q:\n%s", code, same, out)
	}
	if list := lull(t, "history", "--data", data); !strings.Contains(list, "calm") || !strings.Contains(list, "web") {
		t.Errorf("lull history =\n%s\nwant calm and web in it", list)
	}
}
