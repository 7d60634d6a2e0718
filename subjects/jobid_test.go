package subjects

import (
	"regexp"
	"strings"
	"testing"
)

func TestJobIDFollowsFromSenderAndMessage(t *testing.T) {
	id := JobID("words", "me", "message-1", 7)
	if !regexp.MustCompile(`^words-[a-z2-7]{10}$`).MatchString(id) {
		t.Fatalf("JobID(words, ...) = %q, want words- and ten letters or digits", id)
	}
	if again := JobID("words", "me", "message-1", 8); again != id {
		t.Errorf("JobID(the same message again) = %q, want %q", again, id)
	}
	for _, other := range []string{
		JobID("words", "you", "message-1", 7), JobID("words", "me", "message-2", 7),
		JobID("words", "me", "", 7), JobID("words", "me", "", 8), JobID("word", "me", "message-1", 7),
	} {
		if other == id {
			t.Errorf("JobID(another message) = %q, want another id", other)
		}
	}
}

func TestJobIDIsAlwaysAToken(t *testing.T) {
	for _, name := range []string{"", "a.b", "*", "$SYS", "naïve", strings.Repeat("x", 500)} {
		if err := CheckToken("job", JobID(name, "me", "1", 1)); err != nil {
			t.Errorf("CheckToken(JobID(%.20q, ...)) = %v, want no error", name, err)
		}
	}
}
