package spec

import (
	"strings"
	"testing"
)

func takes(t *testing.T, cpu string) (Stage, error) {
	t.Helper()
	d, err := Parse([]byte("name: j\nstages:\n  - {name: s, command: x, cpu: " + cpu + "}\n"))
	if err != nil {
		return Stage{}, err
	}
	j, err := d.Job()
	if err != nil {
		return Stage{}, err
	}
	return j.Stages[0], nil
}

func TestCoresOfATask(t *testing.T) {
	for cpu, want := range map[string][3]uint32{
		"1": {1, 0, 1000}, "2": {2, 0, 2000}, "2.0": {2, 0, 2000}, "0.5": {1, 500, 500}, ".5": {1, 500, 500}, "0.1": {1, 100, 100},
		"0.333": {1, 333, 333}, "0.999": {1, 999, 999}, "1.5": {2, 500, 1500}, "1024": {1024, 0, 1024000},
	} {
		s, err := takes(t, cpu)
		if err != nil || s.CPU != want[0] || s.Part != want[1] || s.Cores() != Cores(want[2]) {
			t.Errorf("cpu: %s has %d slots, %d thousandths of the last, %v cores, %v; want %v", cpu, s.CPU, s.Part, s.Cores(), err, want)
		}
	}
}

// Each refusal points at the value and says what to give.
func TestCoresThatNoTaskHas(t *testing.T) {
	for cpu, want := range map[string]string{
		"0": "0.1 to 1024", "-1": "0.1 to 1024", "-0.5": "0.1 to 1024", "0.0001": "0.1 to 1024", "0.05": "0.1 to 1024", "1024.001": "0.1 to 1024",
		"99999999999999999999": "", ".nan": "0.1 to 1024", ".inf": "0.1 to 1024", "-.inf": "0.1 to 1024",
		"0.3333": "such as 0.333", "half": "a number of cores such as 2 or 0.5", `"0.5"`: "a number of cores such as 2 or 0.5", "[1]": "a number of cores",
	} {
		_, err := takes(t, cpu)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "stages[0].cpu") {
			t.Errorf("cpu: %s says %v, want %q", cpu, err, want)
		}
	}
}

func TestPartsOfCoresComeBackAsTheyWereWritten(t *testing.T) {
	j := Job{Name: "j", Type: "j", Stages: []Stage{
		{Name: "a", Argv: []string{"x"}, Tasks: 1, CPU: 1, Part: 250, Memory: DefaultMemory, Retries: DefaultRetries, Backoff: DefaultBackoff},
		{Name: "b", Argv: []string{"x"}, Tasks: 1, CPU: 2, Part: 500, Memory: DefaultMemory, Retries: DefaultRetries, Backoff: DefaultBackoff},
	}}
	d, err := Document(&j)
	if err != nil {
		t.Fatal(err)
	}
	body, err := d.JSON()
	if err != nil || !strings.Contains(string(body), `"cpu":0.25`) || !strings.Contains(string(body), `"cpu":1.5`) {
		t.Fatalf("JSON() = %s, %v, want cpu 0.25 and 1.5", body, err)
	}
	again, err := Parse(body)
	if err != nil {
		t.Fatal(err)
	}
	if k, err := again.Job(); err != nil || k.Stages[0].Cores() != 250 || k.Stages[1].Cores() != 1500 {
		t.Errorf("Job() = %+v, %v, want 250 and 1500 thousandths of a core", k, err)
	}
	if j.Widest() != 1750 {
		t.Errorf("Widest() = %d, want 1750 thousandths of a core", j.Widest())
	}
	for _, s := range []Stage{{CPU: 1, Part: 99}, {CPU: 1, Part: 1000}, {CPU: 0, Part: 500}, {CPU: 1<<32 - 1}} {
		j.Stages[0].CPU, j.Stages[0].Part = s.CPU, s.Part
		if j.Validate() == nil {
			t.Errorf("Validate() with %d slots and %d thousandths = nil, want an error", s.CPU, s.Part)
		}
	}
}
