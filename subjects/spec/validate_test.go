package spec

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

func valid(t *testing.T) Job {
	j, err := filled(t).Job()
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// TestValidateRefuses breaks one thing of a good Job at a time.
func TestValidateRefuses(t *testing.T) {
	for _, c := range []struct {
		path  string
		spoil func(*Job)
	}{
		{"name", func(j *Job) { j.Name = "" }},
		{"name", func(j *Job) { j.Name = "a.b" }},
		{"name", func(j *Job) { j.Name = strings.Repeat("a", maxName+1) }},
		{"type", func(j *Job) { j.Type = "*" }},
		{"queue", func(j *Job) { j.Queue = "Q" }},
		{"origin", func(j *Job) { j.Origin = "a\nb" }},
		{"deadline", func(j *Job) { j.DeadlineIn = -1 }},
		{"deadline", func(j *Job) { j.DeadlineAt = 1 }},
		{"deadline", func(j *Job) { j.DeadlineIn = math.MaxInt64 }},
		{"output", func(j *Job) { j.Output = "out" }},
		{"stages", func(j *Job) { j.Stages = nil }},
		{"stages", func(j *Job) { j.Stages = make([]Stage, MaxStages+1) }},
		{"stages", func(j *Job) { j.Stages[2].Tasks = MaxTasks }},
		{"stages[0].name", func(j *Job) { j.Stages[0].Name = "" }},
		{"stages[1].name", func(j *Job) { j.Stages[1].Name = "map" }},
		{"stages[0].command", func(j *Job) { j.Stages[0].Argv = nil }},
		{"stages[0].command", func(j *Job) { j.Stages[0].Argv = []string{""} }},
		{"stages[0].command", func(j *Job) { j.Stages[0].Argv = []string{"a\x00"} }},
		{"stages[0].command", func(j *Job) { j.Stages[0].Argv = make([]string, maxArgs+1); j.Stages[0].Argv[0] = "x" }},
		{"stages[0].command", func(j *Job) { j.Stages[0].Argv = []string{strings.Repeat("x", maxArgv)} }},
		{"stages[0].env", func(j *Job) { j.Stages[0].Env = []string{"=b"} }},
		{"stages[0].env", func(j *Job) { j.Stages[0].Env = []string{"A=\x00"} }},
		{"stages[1].where", func(j *Job) { j.Stages[1].Where = []string{"disk"} }},
		{"stages[0].dir", func(j *Job) { j.Stages[0].Dir = "src" }},
		{"stages[0].splits", func(j *Job) { j.Stages[0].Tasks = 3 }},
		{"stages[0].tasks", func(j *Job) { j.Stages[0].Tasks = 0 }},
		{"stages[0].list", func(j *Job) { j.Stages[0].List = "x" }},
		{"stages[0].chunk", func(j *Job) { j.Stages[0].Chunk = 1 }},
		{"stages[2].chunk", func(j *Job) { j.Stages[2].List, j.Stages[2].Splits, j.Stages[2].Chunk = "x", nil, ChunkTasks+1 }},
		{"stages[2].list", func(j *Job) { j.Stages[2].List = "a b" }},
		{"stages[0].splits[1].ranges[0]", func(j *Job) { j.Stages[0].Splits[1].Ranges[0].Offset = 1 }},
		{"stages[0].splits[1].ranges[0]", func(j *Job) { j.Stages[0].Splits[1].Ranges[0].Length = -1 }},
		{"stages[0].splits[1].ranges[0]", func(j *Job) { j.Stages[0].Splits[1].Ranges[0].Path = "" }},
		{"stages[0].splits[1].ranges[0]", func(j *Job) {
			j.Stages[0].Splits[1].Ranges[0] = Range{Path: "/f", Offset: math.MaxInt64, Length: math.MaxInt64, Size: 1}
		}},
		{"stages[0].splits[1].ranges[0].path", func(j *Job) { j.Stages[0].Splits[1].Ranges[0].Path = "f" }},
		{"stages[0].splits[1].ranges", func(j *Job) { j.Stages[0].Splits[1].Ranges = make([]Range, MaxRanges+1) }},
		{"stages[0].splits[1].param", func(j *Job) { j.Stages[0].Splits[1].Param = "a\x00" }},
		{"stages[0].cpu", func(j *Job) { j.Stages[0].CPU = 0 }},
		{"stages[0].cpu", func(j *Job) { j.Stages[0].CPU = maxCPU + 1 }},
		{"stages[0].memory", func(j *Job) { j.Stages[0].Memory = 0 }},
		{"stages[0].memory", func(j *Job) { j.Stages[0].Memory = math.MaxInt64 }},
		{"stages[0].retries", func(j *Job) { j.Stages[0].Retries = math.MaxUint32 }},
		{"stages[0].backoff", func(j *Job) { j.Stages[0].Backoff = -time.Second }},
		{"stages[0].timeout", func(j *Job) { j.Stages[0].Timeout = math.MaxInt64 }},
		{"stages[0].estimate", func(j *Job) { j.Stages[0].Estimate = -1 }},
		{"stages[1].from[0]", func(j *Job) { j.Stages[1].From[0].Stage = 4 }},
		{"stages[1].from[0]", func(j *Job) { j.Stages[1].From[0].Stage = math.MaxUint32 }},
		{"stages[3].from[1]", func(j *Job) { j.Stages[3].From[1].Stage = 1 }},
		{"stages[3].from[0]", func(j *Job) { j.Stages[3].From[0].Partition = true }},
		{"stages[2].after[0]", func(j *Job) { j.Stages[2].After[0] = 4 }},
		{"stages[1].from", func(j *Job) { j.Stages[0].After = []uint32{1} }},
		{"stages[0].partitions", func(j *Job) { j.Stages[0].Partitions = 5 }},
		{"stages[1].partitions", func(j *Job) { j.Stages[1].Partitions = 5 }},
		{"stages[3]", func(j *Job) { j.Output = "" }},
		{"stages[3]", func(j *Job) { j.Stages[3].Argv = []string{"x"} }},
		{"stages[3]", func(j *Job) { j.Stages[3].From = nil }},
		{"stages[2]", func(j *Job) { j.Stages[2].Publish = true }},
	} {
		j := valid(t)
		c.spoil(&j)
		err := j.Validate()
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: got %v, want an *Error", c.path, err)
			continue
		}
		// The message about a cycle may begin at any of its stages.
		if e.Path != c.path && !strings.Contains(e.Text, "circle") {
			t.Errorf("Validate() = %v, want an error of %s", err, c.path)
		}
	}
}

// TestValidateIsLinear: 256 stages that each wait for all before them have
// more walks than the universe has atoms.
func TestValidateIsLinear(t *testing.T) {
	j := Job{Name: "j", Type: "j"}
	for i := range MaxStages {
		s := Stage{Name: "s" + string(rune('a'+i/26)) + string(rune('a'+i%26)), Argv: []string{"x"}, Tasks: 1, CPU: 1, Memory: 1}
		for k := range i {
			s.After = append(s.After, uint32(k))
		}
		j.Stages = append(j.Stages, s)
	}
	if err := j.Validate(); err != nil {
		t.Fatal(err)
	}
}
