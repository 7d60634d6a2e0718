package spec

import (
	"strings"
	"testing"
)

func TestAnUnknownFieldListsThosePeopleWrite(t *testing.T) {
	_, err := Parse([]byte("name: a\nstages:\n  - {name: b, command: c, partitions: 4}\n"))
	if err == nil || !strings.Contains(err.Error(), "the fields here are name, command,") || !strings.Contains(err.Error(), "max_failures") {
		t.Fatal(err)
	}
	for _, byClient := range []string{"chunk", "splits", "sent"} {
		if strings.Contains(err.Error(), ", "+byClient) {
			t.Errorf("%s is listed in: %v", byClient, err)
		}
	}
}
