package tasks

import (
	"os"
	"time"
)

// fsyncs measures n appends of 4 KiB with an fsync each in a folder.
func fsyncs(dir string, n int) ([]time.Duration, error) {
	file, err := os.CreateTemp(dir, "fsync-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name()) //nolint:errcheck // a leftover in the temporary folder
	defer file.Close()           //nolint:errcheck // what counts was synced
	block, took := make([]byte, 4096), make([]time.Duration, n)
	for i := range took {
		start := time.Now()
		if _, err := file.Write(block); err != nil {
			return nil, err
		}
		if err := file.Sync(); err != nil {
			return nil, err
		}
		took[i] = time.Since(start)
	}
	return took, nil
}
