package models

import (
	"strings"
	"testing"
)

func TestADataNodeIsShownInARow(t *testing.T) {
	known := 200e6
	for want, row := range map[string]sourceRow{
		"nfs:filer1 3 180 MB/s 200 MB/s configured": {Source: "nfs:filer1", Readers: 3, Load: 180e6, Capacity: &known},
		"nfs:filer1 1 60 MB/s 200 MB/s learnt":      {Source: "nfs:filer1", Readers: 1, Load: 60e6, Capacity: &known, Learnt: true},
		"disk:h:sda 2 0 B/s - -":                    {Source: "disk:h:sda", Readers: 2},
	} {
		if got := strings.Join(row.cells(), " "); got != want {
			t.Errorf("cells() = %q, want %q", got, want)
		}
	}
}
