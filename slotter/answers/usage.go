package answers

import "lull/subjects"

// Bounds of a page of AskUsage: a host takes some 500 bytes, a task's speed some 60, and a
// message holds a mebibyte.
const (
	maxUsages = 1000
	maxSpeeds = 5000
)

// usage lists what hosts published last.
func (f *Facts) usage(body []byte) *subjects.UsageAnswer {
	var ask subjects.UsageAsk
	if err := subjects.Unmarshal(body, &ask); err != nil {
		return &subjects.UsageAnswer{Error: err.Error()}
	}
	answer, speeds := &subjects.UsageAnswer{}, 0
	for h := range f.Usage(ask.After) {
		if !ask.Speeds {
			h.Tasks = nil
		}
		speeds += len(h.Tasks)
		if n := len(answer.Hosts); n > 0 && (n == maxUsages || speeds > maxSpeeds) {
			answer.Next = answer.Hosts[n-1].Host
			break
		}
		answer.Hosts = append(answer.Hosts, h)
	}
	return answer
}
