package importer

import (
	"strings"
	"testing"
)

func TestTenantsOfHosts(t *testing.T) {
	for text, want := range map[string]string{
		"rack,Tenant,host\n1,web,a\n2,,b\n1,web,a\n": "",
		"series_id,tenant\na,web\n":                  "",
		"":                                           "line 1: a table of tenants needs the columns host,tenant",
		"name,tenant\n":                              "needs the columns host,tenant",
		"host,tenant\na,web\na,mail\n":               `line 3: host a has the tenants "web" and "mail"`,
		"host,tenant\na.b,web\n":                     `line 2: host "a.b" holds '.'`,
		"host,tenant\na,my shop\n":                   `line 2: host a: tenant "my shop" holds ' '`,
		"host,tenant\na\n":                           "line 2",
	} {
		all, err := Tenants(strings.NewReader(text), "t.csv")
		switch {
		case want == "" && (err != nil || all["a"] != "web" || all["b"] != ""):
			t.Errorf("Tenants(%q) = %v, %v, want a of web, b of no tenant", text, all, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("Tenants(%q) = %v, want an error with %q", text, err, want)
		}
	}
}
