package importer

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"lull/subjects"
)

// Tenants reads a table of hosts and their tenants. Other columns are passed over, because
// such tables are inventories.
func Tenants(r io.Reader, file string) (map[string]string, error) {
	rows := csv.NewReader(r)
	header, err := rows.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for i := range header {
		header[i] = strings.ToLower(strings.TrimSpace(strings.TrimPrefix(header[i], "\ufeff")))
	}
	host, tenant := slices.Index(header, "host"), slices.Index(header, "tenant")
	if host < 0 {
		host = slices.Index(header, "series_id")
	}
	if host < 0 || tenant < 0 {
		return nil, fmt.Errorf("%s: line 1: a table of tenants needs the columns host,tenant", file)
	}
	all := map[string]string{}
	for {
		fields, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if err := assignTenant(all, strings.TrimSpace(fields[host]), strings.TrimSpace(fields[tenant])); err != nil {
			line, _ := rows.FieldPos(0)
			return nil, fmt.Errorf("%s: line %d: %w", file, line, err)
		}
	}
}

// assignTenant gives a host its tenant. An empty name stands for no tenant.
func assignTenant(all map[string]string, host, tenant string) error {
	if err := subjects.CheckToken("host", host); err != nil {
		return err
	}
	if was, twice := all[host]; twice && was != tenant {
		return fmt.Errorf("host %s has the tenants %q and %q: keep one", host, was, tenant)
	}
	if tenant != "" {
		if err := subjects.CheckTenant(tenant); err != nil {
			return fmt.Errorf("host %s: %w", host, err)
		}
	}
	all[host] = tenant
	return nil
}
