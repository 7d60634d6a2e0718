package subjects

import (
	"fmt"
	"strings"

	"lull/subjects/profile"
)

// What was learnt of the primaries' tenants. Readers that are older pass over it: it advises
// where tasks run, and nothing else follows from it.

// Classified is what a generation of the classifier learnt of a tenant (history-based harvesting,
// section 3). It is written only if it differs from the last one about the tenant. It counts from
// the PoolClassified that ends the generation.
type Classified struct {
	Tenant string `msgpack:"-"`
	// Generation is the number of the generation.
	Generation uint64 `msgpack:"generation"`
	// Class is the name of the tenant's class, "" for a tenant of which less than two days
	// are known.
	Class string `msgpack:"class,omitempty"`
	// Gone says that nothing is known of the tenant any more: its samples are too old.
	Gone bool `msgpack:"gone,omitempty"`
	// Profile is what is known of the tenant's usage, its lists packed; `lull tenants --output json` has
	// it unpacked.
	Profile profile.Profile `msgpack:"profile"`
	// Why is what differs from the last event: new, pattern, hours, peak, age, class or gone.
	Why string `msgpack:"why"`
}

// Owned lists the tenants of a pool's hosts, as an operator gives them: all of them, in place of what
// was listed before. A host that is not listed is a tenant of its own. Without any tenant nothing is listed, and
// each host has the tenant that it names when it joins.
type Owned struct {
	User string `msgpack:"-" json:",omitempty"` // the operator, "" for none; proven if `vouched` of admission's `led` is set
	// Tenants are the tenants, by name, each with its hosts.
	Tenants []OwnedHosts `msgpack:"tenants,omitempty"`
	Who     string       `msgpack:"who,omitempty"` // the operator that the message names: a claim
}

// OwnedHosts are the hosts of a tenant.
type OwnedHosts struct {
	Tenant string   `msgpack:"tenant"` // its name
	Hosts  []string `msgpack:"hosts"`  // by name
}

// PoolClassified ends a generation. All its events count from here on, or none if some are missing.
type PoolClassified struct {
	Generation uint64 `msgpack:"generation"` // its number
	Changed    uint32 `msgpack:"changed"`    // how many `tenant.classified` the generation has
	Tenants    uint32 `msgpack:"tenants"`    // how many tenants are known from here on
	At         int64  `msgpack:"at"`         // history up to here was read
	Seed       uint64 `msgpack:"seed"`       // seed of k-means
	// Named is how many names of classes were ever given.
	Named uint32 `msgpack:"named"`
	// Classes are the classes of tenants, by name.
	Classes []TenantClass `msgpack:"classes,omitempty"`
	// Why is the reason for the generation: daily, asked, drift, owned or again.
	Why string `msgpack:"why"`
	// Asked is the id of the request that asked for the generation, "" for none.
	Asked string `msgpack:"asked,omitempty"`
}

// TenantClass is a class of tenants.
type TenantClass struct {
	Name    string          `msgpack:"name"`    // the class's name
	Pattern profile.Pattern `msgpack:"pattern"` // 0 unpredictable, 1 constant, 2 periodic
	Members uint32          `msgpack:"members"` // tenants of the class
	Average float64         `msgpack:"average"` // mean of the members' averages
	Peak    float64         `msgpack:"peak"`    // the greatest of the members' peaks
	// Center is the member that lends its profile to members with few days of their own.
	Center string `msgpack:"center"`
}

// Why a generation was made.
const (
	ClassifiedDaily = "daily"
	ClassifiedAsked = "asked"
	ClassifiedDrift = "drift"
	ClassifiedOwned = "owned" // an operator listed the tenants of hosts
	ClassifiedAgain = "again" // a service that was upgraded lacks what was said before
)

// TenantOf returns the name under which the tenant of a host is classified. A host without a tenant
// is one of its own. A name of this form counts as none, so that no host can have the own tenant of another.
func TenantOf(tenant, host string) string {
	if tenant != "" && !strings.HasPrefix(tenant, ownTenant) {
		return tenant
	}
	return ownTenant + host[:min(len(host), maxToken-len(ownTenant))]
}

// ownTenant begins the names of tenants of one host.
const ownTenant = "host:"

// CheckTenant says whether an owner of hosts can have a name: a token that is not that of a host without a tenant.
func CheckTenant(name string) error {
	if strings.HasPrefix(name, ownTenant) {
		return fmt.Errorf("tenant %q begins with %q, as only the names of hosts without a tenant do: choose another name", name, ownTenant)
	}
	return CheckToken("tenant", name)
}
