package subjects

import "lull/subjects/profile"

// What was learnt of the primaries' tenants. Readers that are older pass over it: it advises
// where tasks run, and nothing else follows from it.

// Classified says what a generation of the classifier learnt of a tenant (history-based
// harvesting, section 3). Only what differs from the last word on the tenant is said. It counts
// from the PoolClassified that ends the generation.
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

// PoolClassified ends a generation: all that it said counts from here on, or nothing if its
// events are not all there.
type PoolClassified struct {
	Generation uint64 `msgpack:"generation"`
	// Changed is how many Classified events the generation has.
	Changed uint32 `msgpack:"changed"`
	Tenants uint32 `msgpack:"tenants"`
	At      int64  `msgpack:"at"`   // Unix nanoseconds: history up to here was read
	Seed    uint64 `msgpack:"seed"` // of k-means
	// Named is how many names of classes were ever given.
	Named   uint32        `msgpack:"named"`
	Classes []TenantClass `msgpack:"classes,omitempty"` // by name
	Why     string        `msgpack:"why"`               // daily, asked, drift
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
	// Center is the member whose profile stands in where a member's own days are few.
	Center string `msgpack:"center"`
}

// Why a generation was made.
const (
	ClassifiedDaily = "daily"
	ClassifiedAsked = "asked"
	ClassifiedDrift = "drift"
)

// TenantOf is the name under which the tenant of a host is classified. A host without a tenant
// is one of its own, under a name that no tenant has whose operator uses letters, digits, '-'
// and '_'.
func TenantOf(tenant, host string) string {
	if tenant != "" {
		return tenant
	}
	const own = "host:"
	return own + host[:min(len(host), maxToken-len(own))]
}
