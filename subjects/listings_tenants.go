package subjects

// AskTenants asks what was learnt of tenants: TenantsAsk → TenantsAnswer, answered by the
// slotter. Releases without a classifier do not answer it.
const AskTenants = "tenants"

// TenantsAsk asks for a page of tenants, by name.
type TenantsAsk struct {
	After string `msgpack:"after,omitempty"` // the last tenant of the page before
}

// TenantsAnswer is a page of tenants, by name.
type TenantsAnswer struct {
	Folded
	// Last ended the last generation. It is nil before the first.
	Last    *PoolClassified `msgpack:"last,omitempty"`
	Tenants []TenantLine    `msgpack:"tenants"`
	// Next is the After of the next page, "" if there is none.
	Next string `msgpack:"next,omitempty"`
}

// TenantLine is a tenant as lists show it.
type TenantLine struct {
	Tenant string      `msgpack:"tenant"`
	Class  *Classified `msgpack:"said"`
	Hosts  uint32      `msgpack:"hosts"` // that are present and the tenant's
	Stays  *Stays      `msgpack:"stays,omitempty"`
}

// Stays tells of a tenant's last tasks of which it was predicted how likely they stay to their end
// beside the primary, on hosts with a core reserve: how many there were, the sum of the
// probabilities, and how many stayed. Older tasks weigh less.
type Stays struct {
	Tasks     float64 `msgpack:"tasks"`
	Predicted float64 `msgpack:"told"`
	Seen      float64 `msgpack:"seen"`
}
