// Command write makes a fixture of a release: it runs the release's binary on jobs of all
// kinds, and stores the log and the snapshots.
package main

import (
	"flag"
	"fmt"
	"os"

	"lull/test/upgrade"
)

func main() {
	binary := flag.String("lull", "", "binary of the release")
	release := flag.String("release", "", "its name: a version, or a commit")
	dir := flag.String("dir", "test/upgrade/testdata", "where the fixture is kept")
	flag.Parse()
	if err := write(*binary, *release, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "write the fixture:", err)
		os.Exit(1)
	}
}

func write(binary, release, dir string) error {
	if binary == "" || release == "" {
		return fmt.Errorf("--lull and --release are missing")
	}
	work, err := os.MkdirTemp("", "lull-fixture")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)                      //nolint:errcheck // it is temporary
	if err := os.Chmod(work, 0o755); err != nil { //nolint:gosec // tasks run as nobody and read their inputs there
		return err
	}
	f, err := upgrade.Record(work, binary)
	if err != nil {
		return err
	}
	fmt.Printf("%d entries, %d snapshots, jobs %v, hosts %v\n", len(f.Entries), len(f.Snapshots), f.Jobs, f.Hosts)
	return f.Write(dir, release)
}
