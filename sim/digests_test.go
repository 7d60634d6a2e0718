package sim

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"lull/subjects/spec"
)

// sealed has the digest of each log. A change that is to make something faster, or to move code,
// must leave it as it is.
const sealed = "testdata/digests.txt"

var (
	every  = flag.Bool("digests", false, "compare all logs, not only a few")
	reseal = flag.Bool("reseal", false, "write all digests anew")
)

func TestDigests(t *testing.T) {
	var got strings.Builder
	for _, policy := range []string{"fifo", "edf", "mp", "mp+"} {
		for i, kind := range kinds {
			for seed := range uint64(3) {
				few := seed == 0 && (i == 0 || policy == "mp+")
				if few || *every || *reseal {
					writeDigest(t, &got, policy, kind.name, kind.make(seed+1))
				}
			}
		}
	}
	if *reseal {
		if err := os.WriteFile(sealed, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	compareDigests(t, got.String())
}

func compareDigests(t *testing.T, got string) {
	body, err := os.ReadFile(sealed)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(got) {
		if !strings.Contains(string(body), line) {
			t.Errorf("digest = %q, want one of those in %s", line, sealed)
		}
	}
	if t.Failed() {
		t.Log("if that is meant, say why in the commit: go test ./sim -run TestDigests -reseal")
	}
}

func writeDigest(t *testing.T, w io.Writer, policy, name string, s Scenario) {
	s.Slotter.Policy = policy
	r, err := Run(t.Context(), s)
	if err != nil {
		t.Fatalf("Run(%s under %s) = %v, want no error", name, policy, err)
	}
	if _, err := fmt.Fprintf(w, "%s, %s, seed %d: %x after %d runs\n", policy, name, s.Seed, r.Digest, len(r.Runs)); err != nil {
		t.Fatal(err)
	}
}

// kinds are scenarios that take different ways through the services.
var kinds = []struct {
	name string
	make func(seed uint64) Scenario
}{
	{"case study", caseStudy},
	{"tiny tasks", func(seed uint64) Scenario { // they wait in places ahead
		s := caseStudy(seed)
		s.Types = []Truth{flat("pi", 0.005), flat("sort", 0.01), flat("grep", 0.02)}
		return s
	}},
	{"noisy tasks", func(seed uint64) Scenario { // many have rivals
		s := caseStudy(seed)
		s.Types = []Truth{flat("pi", 20), flat("sort", 30), flat("grep", 15)}
		for i := range s.Types {
			s.Types[i].Noise = 1
		}
		return s
	}},
	{"data nodes", readingJobs},
	{"stages", func(seed uint64) Scenario { // later ones read from agents
		s := caseStudy(seed)
		for i := range s.Jobs {
			j := &s.Jobs[i].Spec
			reduce := j.Stages[0]
			reduce.Name, reduce.Tasks, reduce.Bytes = "reduce", 1+reduce.Tasks/10, 1e7
			reduce.From = []spec.From{{Stage: 0}}
			j.Stages = append(j.Stages, reduce)
		}
		return s
	}},
}

// readingJobs read from data nodes that they saturate; half of them take two cores.
func readingJobs(seed uint64) Scenario {
	s := caseStudy(seed)
	s.DataNodes = []DataNode{{"nfs:a", 3e8}, {"nfs:b", 1e8}}
	s.Types = []Truth{flat("pi", 20), flat("sort", 30), flat("grep", 15)}
	for i := range s.Types {
		s.Types[i].Read = 2e7
	}
	for i := range s.Jobs {
		st := &s.Jobs[i].Spec.Stages[0]
		st.Bytes, st.Sources = 1e8, []string{s.DataNodes[i%2].Name}
		st.CPU = 1 + uint32(i/2%2)
	}
	return s
}
