// Package deploy_test checks the deployment files against what they deploy.
package deploy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

func TestYAMLIsWellFormed(t *testing.T) {
	files, _ := filepath.Glob("*/*.yml")
	for _, name := range append(files, "compose.yml") {
		var document map[string]any
		if err := yaml.Unmarshal(text(t, name), &document); err != nil {
			t.Errorf("yaml.Unmarshal(%s) = %v, want well-formed YAML", name, err)
		}
	}
}

func TestUnitsAreWhole(t *testing.T) {
	units, _ := filepath.Glob("systemd/*.service")
	if len(units) != 6 {
		t.Fatalf("units in systemd = %v, want six", units)
	}
	for _, name := range units {
		unit := parse(t, name)
		service := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "lull-"), ".service")
		if want := "/usr/local/bin/lull " + service + " "; !strings.HasPrefix(unit["Service.ExecStart"], want) {
			t.Errorf("ExecStart of %s = %q, want one that begins with %q", name, unit["Service.ExecStart"], want)
		}
		for _, key := range []string{"Unit.Description", "Service.Restart", "Service.EnvironmentFile", "Install.WantedBy"} {
			if unit[key] == "" {
				t.Errorf("%s of %s is empty, want a value", key, name)
			}
		}
	}
	agent := parse(t, "systemd/lull-agent.service")
	if agent["Service.Delegate"] != "yes" || agent["Service.KillMode"] != "process" {
		t.Errorf("Delegate and KillMode of lull-agent.service = %q and %q, want yes and process, for cgroups of its own and tasks that outlive it", agent["Service.Delegate"], agent["Service.KillMode"])
	}
}

// parse reads a unit as section.key → last value.
func parse(t *testing.T, name string) map[string]string {
	t.Helper()
	unit, section := map[string]string{}, ""
	for n, line := range strings.Split(string(text(t, name)), "\n") {
		line = strings.TrimSpace(line)
		key, value, ok := strings.Cut(line, "=")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[' && strings.HasSuffix(line, "]"):
			section = strings.Trim(line, "[]")
		case !ok || section == "":
			t.Errorf("%s:%d: %q, want a setting of a section", name, n+1, line)
		default:
			unit[section+"."+key] = value
		}
	}
	return unit
}

func text(t *testing.T, name string) []byte {
	t.Helper()
	body, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return body
}
