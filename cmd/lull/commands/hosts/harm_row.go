package hosts

import (
	"fmt"
	"slices"
	"time"

	"lull/cmd/lull/commands/listing"
	"lull/subjects/ledger"
	"lull/subjects/ledger/harm"
)

// harmRow is a tenant, or one of its hosts, in harm --output json.
type harmRow struct {
	Tenant  string   `json:"tenant"` // "-" for hosts that do not say
	Hosts   []string `json:"hosts"`
	Sensors []string `json:"sensors"` // how the delay was measured last
	Since   string   `json:"since"`
	Day     harmJSON `json:"day"`
	Total   harmJSON `json:"total"`

	day, total harm.Sum
}

type harmJSON struct {
	Harvested float64  `json:"harvested_core_seconds"`
	Primary   float64  `json:"primary_core_seconds"`
	Waited    float64  `json:"delay_seconds"`
	Delay     *float64 `json:"delay"`
	Budget    *float64 `json:"budget"`
	Evicted   uint64   `json:"evicted"`
}

// harmRows are the tenants, or the hosts of some of them.
func harmRows(s *ledger.State, now time.Time, byTenant bool, only []string) (rows []harmRow) {
	var since int64
	for account := range s.HarmAccounts() {
		name := named(account.Tenant)
		if len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		if n := len(rows); !byTenant || n == 0 || rows[n-1].Tenant != name {
			rows, since = append(rows, harmRow{Tenant: name, Sensors: []string{}}), account.Since
		}
		since = min(since, account.Since)
		rows[len(rows)-1].add(account, now, since)
	}
	return rows
}

// add counts the report of a host of the tenant.
func (r *harmRow) add(t *harm.Account, now time.Time, since int64) {
	r.Hosts, r.Since = append(r.Hosts, t.Host), listing.Stamp(since)
	if t.Sensor != "" && !slices.Contains(r.Sensors, t.Sensor) {
		r.Sensors = append(r.Sensors, t.Sensor)
	}
	r.day.Add(t.Day(now))
	r.total.Add(t.Total)
	r.Day, r.Total = harmJSONOf(r.day), harmJSONOf(r.total)
}

func harmJSONOf(h harm.Sum) harmJSON {
	j := harmJSON{Harvested: h.Harvested, Primary: h.Primary, Waited: h.Delay, Evicted: h.Evictions}
	if delay, budget, ok := h.Rate(); ok {
		j.Delay, j.Budget = &delay, &budget
	}
	return j
}

func (r harmRow) cells(whole, oneHost bool) []string {
	h, where := r.day, fmt.Sprint(len(r.Hosts))
	if whole {
		h = r.total
	}
	if oneHost {
		where = r.Hosts[0]
	}
	delay, budget := "-", "-"
	if rate, allowed, ok := h.Rate(); ok {
		delay, budget = perCPU(rate), perCPU(allowed)
	}
	return []string{r.Tenant, where, coreHours(h.Harvested), coreHours(h.Primary), delay, budget, fmt.Sprint(h.Evictions)}
}

func coreHours(seconds float64) string {
	hours := seconds / 3600
	if hours < 100 {
		return fmt.Sprintf("%.2f h", hours)
	}
	return fmt.Sprintf("%.0f h", hours)
}

func named(tenant string) string {
	if tenant == "" {
		return "-"
	}
	return tenant
}
