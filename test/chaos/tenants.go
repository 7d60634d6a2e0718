package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// The history of two hosts, of which the classifier makes two tenants while it is killed.
const (
	pastHosts = 2
	pastDays  = 4
)

// importPast gives the pool a history of two hosts: one with a peak each day, one without.
func (f *fleet) importPast(ctx context.Context) error {
	var usage bytes.Buffer
	usage.WriteString("series_id,t_seconds,cpu_pct\n")
	first := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -pastDays)
	for at := first; at.Before(first.AddDate(0, 0, pastDays)); at = at.Add(10 * time.Minute) {
		busy := 10
		if at.Hour() >= 8 && at.Hour() < 18 {
			busy = 50
		}
		fmt.Fprintf(&usage, "daily,%d,%d\neven,%d,20\n", at.Unix(), busy, at.Unix())
	}
	file := filepath.Join(f.dir, "usage.csv")
	if err := os.WriteFile(file, usage.Bytes(), 0o644); err != nil {
		return err
	}
	_, err := f.ask(ctx, "history", "import", file)
	return err
}

// classifiedWhole asks for a classification, and checks that the log has all tenants.
func (f *fleet) classifiedWhole(ctx context.Context) error {
	if _, err := f.ask(ctx, "classify", "--output", "json"); err != nil {
		return err
	}
	for {
		out, err := f.ask(ctx, "tenants", "--output", "json")
		if err != nil {
			return err
		}
		var tenants []struct{ Tenant, Class string }
		if err := json.Unmarshal(out, &tenants); err != nil {
			return fmt.Errorf("lull tenants: %w: %s", err, out)
		}
		known := 0
		for _, t := range tenants {
			if t.Class != "" {
				known++
			}
		}
		switch {
		case known == pastHosts:
			return nil
		case known > 0:
			return fmt.Errorf("classified tenants = %d, want none or all %d: %s", known, pastHosts, out)
		}
		if err := wait(ctx, pause); err != nil {
			return fmt.Errorf("waiting for classified tenants: %w", err)
		}
	}
}

// ask runs a command until it succeeds: the services may be starting.
func (f *fleet) ask(ctx context.Context, args ...string) ([]byte, error) {
	for {
		cmd := exec.CommandContext(ctx, f.binary, args...)
		cmd.Env = append(os.Environ(), "LULL_DATA="+f.data("up"), "LULL_NATS="+f.endpoint())
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err == nil {
			return out, nil
		}
		if wait(ctx, pause) != nil {
			return nil, fmt.Errorf("lull %v: %w: %s", args, err, &stderr)
		}
	}
}
