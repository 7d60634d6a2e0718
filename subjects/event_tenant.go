package subjects

import "lull/subjects/profile"

// What was learnt of the primaries' tenants. Readers that are older pass over it: it advises
// where tasks run, and nothing else follows from it.

// Classified is what a generation of the classifier learnt of a tenant (history-based harvesting,
// section 3). It is written only if it differs from the last one about the tenant. It counts from
// the PoolClassified that ends the generation.
type Classified struct {
	Tenant     string `msgpack:"-"`
	Generation uint64 `msgpack:"generation"`
	// Class is the name of the tenant's class, "" for a tenant of which less than two days
	// are known.
	Class string `msgpack:"class,omitempty"`
	// Gone says that nothing is known of the tenant any more: its samples are too old.
	Gone    bool            `msgpack:"gone,omitempty"`
	Profile profile.Profile `msgpack:"profile"`
	Why     string          `msgpack:"why"` // what differs: see package classifier/drift
}

// PoolClassified ends a generation. All its events count from here on, or none if some are missing.
type PoolClassified struct {
	Generation uint64 `msgpack:"generation"`
	// Changed is how many Classified events the generation has.
	Changed uint32 `msgpack:"changed"`
	Tenants uint32 `msgpack:"tenants"` // that are known from here on
	At      int64  `msgpack:"at"`      // Unix nanoseconds: history up to here was read
	Seed    uint64 `msgpack:"seed"`    // of k-means
	// Named is how many names of classes were ever given.
	Named   uint32        `msgpack:"named"`
	Classes []TenantClass `msgpack:"classes,omitempty"` // by name
	Why     string        `msgpack:"why"`               // daily, asked, drift, again
	// Asked is the id of the request that asked for the generation, "" for none.
	Asked string `msgpack:"asked,omitempty"`
}

// TenantClass is a class of tenants.
type TenantClass struct {
	Name    string          `msgpack:"name"`
	Pattern profile.Pattern `msgpack:"pattern"`
	Members uint32          `msgpack:"members"`
	Average float64         `msgpack:"average"` // of the members' averages
	Peak    float64         `msgpack:"peak"`    // the greatest of theirs
	// Center is the member that lends its profile to members with few days of their own.
	Center string `msgpack:"center"`
}

// Why a generation was made.
const (
	ClassifiedDaily = "daily"
	ClassifiedAsked = "asked"
	ClassifiedDrift = "drift"
	ClassifiedAgain = "again" // a service that was upgraded lacks what was said before
)

// TenantOf returns the name under which the tenant of a host is classified. A host without a tenant
// is one of its own. Its name cannot collide with that of a tenant made of letters, digits, '-' and
// '_'.
func TenantOf(tenant, host string) string {
	if tenant != "" {
		return tenant
	}
	const own = "host:"
	return own + host[:min(len(host), maxToken-len(own))]
}
