package publish

import (
	"errors"
	"os"
	"strings"
	"testing"

	"lull/actors/durable"
)

// kept publishes one file for a job, and keeps what was there.
func kept(t *testing.T, job string, attempt uint64, output string) []Replaced {
	t.Helper()
	p, content := run(job, attempt, output, "00000/a="+job)
	p.Keep = true
	replaced, err := Publish(p, content, nil)
	if err != nil {
		t.Fatal(err)
	}
	return replaced
}

func after(job, before string) string {
	return "count/.lull=" + job + " count/00000/a=" + job + " count.previous/.lull=" + before + " count.previous/00000/a=" + before
}

func TestTheLastResultsAreKeptBesideTheNewOnes(t *testing.T) {
	output := t.TempDir()
	if replaced := kept(t, "ann", 1, output); len(replaced) > 0 {
		t.Errorf("replaced by the first run = %v, want nothing", replaced)
	}
	replaced := kept(t, "bob", 1, output)
	if got, want := tree(t, output), after("bob", "ann"); got != want {
		t.Errorf("after the second run: %s, want %s", got, want)
	}
	if want := "replaced the results of job ann in " + output + "/count, which are now in " + output + "/count.previous"; len(replaced) != 1 || replaced[0].String() != want {
		t.Errorf("replaced = %v, want %s", replaced, want)
	}
	kept(t, "eve", 1, output)
	if got, want := tree(t, output), after("eve", "bob"); got != want {
		t.Errorf("one generation is kept: %s, want %s", got, want)
	}
	if replaced := kept(t, "eve", 2, output); len(replaced) > 0 { // a repeat
		t.Errorf("replaced by a repeat = %v, want nothing: the results are its own", replaced)
	}
	if got, want := tree(t, output), after("eve", "bob"); got != want {
		t.Errorf("after a repeat: %s, want %s", got, want)
	}
}

func TestNothingIsKeptIfTheJobDoesNotWantIt(t *testing.T) {
	output := t.TempDir()
	kept(t, "ann", 1, output)
	p, content := run("job", 1, output, few...)
	replaced, err := Publish(p, content, nil)
	if err != nil || len(replaced) != 1 || replaced[0].String() != "replaced the results of job ann in "+output+"/count" {
		t.Errorf("Publish() = %v, %v, want that it replaced the results of job ann", replaced, err)
	}
	if got := tree(t, output); got != want {
		t.Errorf("left %s, want %s", got, want)
	}
}

func TestAFolderOfTheUsersIsNotReplacedByKeptResults(t *testing.T) {
	output := t.TempDir()
	kept(t, "ann", 1, output)
	put(t, output+"/count.previous/mine", "x")
	p, content := run("bob", 1, output, few...)
	p.Keep = true
	if _, err := Publish(p, content, nil); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), output+"/count.previous") {
		t.Errorf("error %v, want ErrForeign with the path", err)
	}
	if got, want := tree(t, output), "count/.lull=ann count/00000/a=ann count.previous/mine=x"; got != want {
		t.Errorf("left %s, want %s", got, want)
	}
}

// Killed at any step, a publisher leaves one whole run in the place. Where a file system cannot
// exchange folders, that run may be in the publisher's own folder. The next attempt ends with the
// same.
func TestKeptResultsSurviveACrash(t *testing.T) {
	for name, crash := range map[string]func(p Plan, d folder, o *attemptFolder) error{
		"before the new ones are in place": func(Plan, folder, *attemptFolder) error { return nil },
		"before the old ones are kept":     func(_ Plan, _ folder, o *attemptFolder) error { return o.moveIntoPlace("count") },
		"before the place is taken again": func(_ Plan, d folder, o *attemptFolder) error {
			return os.Rename(d.Name()+"/count", o.old.Name()+"/count")
		},
		"after the older ones went aside": func(_ Plan, d folder, o *attemptFolder) error {
			return errors.Join(o.moveIntoPlace("count"), os.Rename(d.Name()+"/count.previous", o.Name()+"/older-0-count"))
		},
		"before it tidied up": func(p Plan, _ folder, o *attemptFolder) error {
			return errors.Join(o.moveIntoPlace("count"), o.noteReplaced(p, "count"))
		},
	} {
		for _, attempt := range []uint64{7, 8} { // the same one again, or the next
			output := t.TempDir()
			kept(t, "old", 1, output)
			kept(t, "ann", 1, output)
			p, content := run("bob", 7, output, "00000/a=bob")
			p.Keep = true
			d, err := openFolder(output)
			if err != nil {
				t.Fatal(err)
			}
			o, err := d.begin(p)
			if err != nil {
				t.Fatal(err)
			}
			var batch durable.Batch
			err = errors.Join(o.build(p, p.Stages[0], content, &batch), batch.Sync(), crash(p, d, &o), o.close(), d.Close())
			if err != nil {
				t.Fatal(name, err)
			}
			kept(t, "bob", attempt, output)
			if got, want := tree(t, output), after("bob", "ann"); got != want {
				t.Errorf("%s, attempt %d: output = %s, want %s", name, attempt, got, want)
			}
		}
	}
}
