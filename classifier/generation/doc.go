// Package generation classifies all tenants of a pool at once: it learns each from its series,
// groups those of a pattern by k-means on their frequency profiles, and names the classes.
//
//	builder := generation.New(learn.Options{})
//	for _, tenant := range tenants {
//		builder.Add(tenant.Name, tenant.LastDays, tenant.ProfileInForce)
//	}
//	generation, state := builder.Finish(lastState, seed)
//
// A class has a profile of its own: that of the member nearest to the class's center, with the mean
// of its members' averages and the greatest of their peaks. It replaces a tenant's own where that
// has few days.
//
// Tenants observed for less than two days have no class: nothing shows which tenants they resemble.
//
// The seed decides the restarts of k-means. The same tenants in any order, the same state and the same
// seed make the same generation. The package is pure.
package generation
