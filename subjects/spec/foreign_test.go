package spec

import (
	"strings"
	"testing"
)

// What people write who know Kubernetes, Slurm or Nomad is answered with what to write here.
func TestFieldsOfOtherSystemsAreAnsweredWithTheFormToWrite(t *testing.T) {
	for field, want := range map[string]string{
		"parallelism: 7":                    "write `at_once: 7`",
		"concurrency: 7":                    "write `at_once: 7`",
		"parallelism: many":                 "write `at_once: 20` for at most 20 tasks at the same time",
		"completions: 50":                   "write `tasks: 50` in a stage",
		"backoffLimit: 6":                   "write `retries: 6`",
		"activeDeadlineSeconds: 5400":       "write `wall: 1h30m`",
		"terminationGracePeriodSeconds: 45": "write `grace: 45s`",
		"kill_timeout: 30s":                 "write `grace: 30s`",
		"ttl: 100":                          "the pool forgets ended jobs by itself",
		"ttlSecondsAfterFinished: 100":      "the pool forgets ended jobs by itself",
		"restart: {attempts: 3}":            "write `retries: 3` and `backoff: 15s`",
		"restartPolicy: OnFailure":          "write `retries: 3`",
		"image: debian":                     "lull starts no containers",
		"array: 1-1000%20":                  "write `each: 1..1000` and `at_once: 20`;",
		"array: 01-99":                      "write `each: 01..99`;",
		"array: 1,3,5":                      "write `each: 1..1000`",
		"\"--array\": 0-15%4":               "write `each: 0..15` and `at_once: 4`;",
		"dependency: afterok:17":            "write `after: [build]` in the later stage",
		"time: \"01:30:00\"":                "write `wall: 1h30m`",
		"\"--time\": 2-00:00":               "write `wall: 48h`",
		"time: \"90:00\"":                   "write `wall: 1h30m`",
		"time: 45":                          "write `wall: 45m`",
		"time: soon":                        "write `wall: 1h`",
		"mem: 4G":                           `did you mean "memory"?`,
	} {
		for _, source := range []string{"name: x\nstages:\n- name: a\n  command: \"true\"\n  " + field, "name: x\ndefaults:\n  " + field} {
			_, err := Parse([]byte(source))
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", field, err, want)
			}
		}
	}
}

// Each form that is recommended can be written.
func TestTheFormsThatAreRecommendedAreDocuments(t *testing.T) {
	fields := new(Doc).fields()
	fields = append(fields, new(DocStage).fields()...)
	for name, form := range foreignForms {
		parts := strings.Split(form, "`")
		for i := 1; i < len(parts); i += 2 {
			field, _, written := strings.Cut(parts[i], ": ")
			if !written {
				continue
			}
			found := false
			for _, f := range fields {
				found = found || f.name == field
			}
			if !found {
				t.Errorf("%s is answered with %q, and documents have no field %s", name, form, field)
			}
		}
	}
}
