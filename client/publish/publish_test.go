package publish

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"lull/actors/durable"
	"lull/test/dirty"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o444); err != nil {
		t.Fatal(err)
	}
}

// tree lists the files below a folder with their texts.
func tree(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		b.WriteString(path[len(root)+1:] + "=" + string(text) + " ")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "\n", "")
}

const want = "count/.lull=job count/00000/a=1 count/00001/d/b=2"

// run returns a plan and the bytes of its files, each given as name=text.
func run(job string, attempt uint64, output string, files ...string) (Plan, io.Reader) {
	p := Plan{Output: output, Job: job, Attempt: attempt, Stages: []Stage{{Name: "count"}}}
	var text strings.Builder
	for _, f := range files {
		path, content, _ := strings.Cut(f, "=")
		text.WriteString(content)
		p.Stages[0].Files = append(p.Stages[0].Files, File{Path: path, Size: int64(len(content)), Mode: 0o444})
	}
	return p, strings.NewReader(text.String())
}

func publish(job string, attempt uint64, output string, files ...string) error {
	p, content := run(job, attempt, output, files...)
	_, err := Publish(p, content, nil)
	return err
}

var few = []string{"00000/a=1", "00001/d/b=2"}

// In a folder that a group shares, new folders get the group, and the mode bit that passes it on.
func TestResultsStandInAFolderThatPassesOnItsGroup(t *testing.T) {
	output := t.TempDir()
	if err := os.Chmod(output, os.ModeSetgid|0o775); err != nil {
		t.Fatal(err)
	}
	if err := publish("job", 7, output, few...); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, output); !strings.Contains(got, "count/00000/a=1") {
		t.Errorf("results = %s, want count/00000/a=1 among them", got)
	}
}

// Whatever an earlier attempt left when its machine died, the next one's
// result is the same.
func TestPublishingAgainGivesTheSame(t *testing.T) {
	for name, left := range map[string]func(output string){
		"nothing":               func(string) {},
		"half a new folder":     func(o string) { put(t, o+"/.lull-job-7/new/count/00000/a", "half") },
		"its own, half":         func(o string) { put(t, o+"/.lull-job-8/new/count/00000/a", "half") },
		"the old one set aside": func(o string) { put(t, o+"/.lull-job-7/old/count/.lull", "before") },
		"an earlier run": func(o string) {
			put(t, o+"/count/.lull", "before")
			put(t, o+"/count/00007/gone", "x")
		},
		"all of it": func(o string) {
			if err := publish("job", 7, o, few...); err != nil {
				t.Fatal(err)
			}
		},
		"an empty folder": func(o string) {
			if err := os.MkdirAll(o+"/count", 0o755); err != nil {
				t.Fatal(err)
			}
		},
	} {
		output := t.TempDir() + "/above/results"
		left(output)
		if err := publish("job", 8, output, few...); err != nil {
			t.Errorf("publish(%s) = %v, want no error", name, err)
		}
		if got := tree(t, output); got != want {
			t.Errorf("%s: published %s, want %s", name, got, want)
		}
	}
}

// Folders of other jobs, of later attempts and of running attempts are not removed.
func TestFoldersOfOthersStay(t *testing.T) {
	output := t.TempDir()
	for _, name := range []string{".lull-other-3", ".lull-job-1-3", ".lull-job-9", ".lull-job-x", ".lull-job-6"} {
		put(t, output+"/"+name+"/new/count/x", "x")
	}
	lives, err := os.Open(output + "/.lull-job-6")
	if err == nil {
		err = unix.Flock(int(lives.Fd()), unix.LOCK_EX)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer lives.Close() //nolint:errcheck // only locked
	if err := publish("job", 8, output, few...); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(output + "/.lull-*"); len(left) != 5 {
		t.Errorf("left are %q, want all five", left)
	}
}

func TestForeignFoldersAreLeftAlone(t *testing.T) {
	for kind, spoil := range map[string]func(path string) error{
		"count/mine=x": func(path string) error { put(t, path+"/mine", "x"); return nil },
		"count=y":      func(path string) error { return os.WriteFile(path, []byte("y"), 0o600) },
	} {
		output := t.TempDir()
		if err := spoil(output + "/count"); err != nil {
			t.Fatal(err)
		}
		err := publish("job", 1, output, few...)
		if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), output+"/count") {
			t.Errorf("error %v, want ErrForeign with the path", err)
		}
		if got := tree(t, output); got != kind {
			t.Errorf("left %s, want %s", got, kind)
		}
	}
}

// begun begins an attempt to publish few to an output folder.
func begun(t *testing.T, output string) (Plan, io.Reader, folder, attemptFolder) {
	t.Helper()
	p, content := run("job", 1, output, few...)
	d, err := openFolder(output)
	if err != nil {
		t.Fatal(err)
	}
	o, err := d.begin(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(o.close(), d.Close()) })
	return p, content, d, o
}

// A foreign folder may take the place after it was checked. It is put back.
func TestAForeignFolderComesBack(t *testing.T) {
	output := t.TempDir()
	p, content, _, o := begun(t, output)
	put(t, output+"/count/mine", "x")
	if err := o.publish(p, content); !errors.Is(err, ErrForeign) {
		t.Errorf("error %v, want ErrForeign", err)
	}
	if got := tree(t, output+"/count"); got != "mine=x" {
		t.Errorf("left in the output = %q, want mine=x", got)
	}
}

// Where a file system cannot exchange folders, the result is the same.
func TestStepByStep(t *testing.T) {
	output := t.TempDir()
	put(t, output+"/count/.lull", "before")
	p, content, d, o := begun(t, output)
	var batch durable.Batch
	if err := errors.Join(o.build(p, p.Stages[0], content, &batch), batch.Sync(), o.moveInTwoSteps("count"), d.tidy(p)); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, output); got != want {
		t.Errorf("published %s, want %s", got, want)
	}
}

func TestAnInterruptedAttemptLeavesTheOldResults(t *testing.T) {
	output := t.TempDir()
	put(t, output+"/count/.lull", "before")
	p, _ := run("job", 1, output, few...)
	if _, err := Publish(p, strings.NewReader("1"), nil); !errors.Is(err, io.EOF) {
		t.Errorf("Publish(a file cut short) = %v, want io.EOF", err)
	}
	if got := tree(t, output); got != "count/.lull=before" {
		t.Errorf("left in the output = %q, want count/.lull=before", got)
	}
}

// An attempt ends with ErrOvertaken if another attempt of the job has removed its folder.
func TestAnOvertakenAttempt(t *testing.T) {
	output := t.TempDir()
	p, _ := run("job", 1, output, few...)
	_, err := Publish(p, reading(func() { _ = os.RemoveAll(output + "/.lull-job-1") }), nil)
	if !errors.Is(err, ErrOvertaken) {
		t.Errorf("error %v, want ErrOvertaken", err)
	}
}

// reading calls a function at the first read.
type reading func()

func (r reading) Read(b []byte) (int, error) {
	r()
	b[0] = '1'
	return 1, nil
}

func TestPublishedFilesMayBeChanged(t *testing.T) {
	output := t.TempDir()
	if err := publish("job", 1, output, few...); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(output + "/count/00000/a")
	if err != nil || info.Mode().Perm()&0o200 == 0 {
		t.Errorf("mode = %v (%v), want it writable", info.Mode(), err)
	}
}

func TestNoLinkIsFollowed(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(dir+"/real", 0o755), os.Symlink("real", dir+"/link")); err != nil {
		t.Fatal(err)
	}
	for _, output := range []string{dir + "/link", dir + "/link/below", "/proc/self/cwd", "/"} {
		if err := publish("job", 1, output, few...); err == nil {
			t.Errorf("publish(%s) = nil, want an error", output)
		}
	}
	if got := tree(t, dir+"/real"); got != "" {
		t.Errorf("written to the link's folder: %s, want nothing", got)
	}
}

func TestPlansThatLeadOutAreRefused(t *testing.T) {
	for _, p := range []Plan{
		{Output: "relative"},
		{Output: "/x", Stages: []Stage{{Name: ".."}}},
		{Output: "/x", Stages: []Stage{{Name: "a/b"}}},
		{Output: "/x", Stages: []Stage{{Name: "a", Files: []File{{Path: "../x"}}}}},
		{Output: "/x", Stages: []Stage{{Name: "a", Files: []File{{Path: "/x"}}}}},
		{Output: "/x", Stages: []Stage{{Name: "a", Files: []File{{Path: "x", Size: -1}}}}},
	} {
		b, err := p.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadPlan(bytes.NewReader(b)); err == nil {
			t.Errorf("ReadPlan(%+v) = nil error, want an error", p)
		}
	}
}

// Results are on the disk once they are published: a machine that loses its power afterwards keeps them.
func TestPublishedResultsAreOnTheDisk(t *testing.T) {
	output := t.TempDir()
	if err := publish("job", 7, output, "a="+strings.Repeat("x", 100_000), "b=1"); err != nil {
		t.Fatal(err)
	}
	if left := dirty.Pages(t, output); left > 0 {
		t.Errorf("%d pages are not on the disk after Publish(), want 0", left)
	}
}
