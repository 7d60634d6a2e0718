// Package classifier learns what classes of tenants a pool has, from the history of their
// usage (history-based harvesting, section 3). One instance leads a pool, because classes are
// made of all its tenants; others stand by.
//
//	each day after midnight UTC, when asked, and when tenants drift    Learn
//	each hour                                                          Look for drift
//	what was learnt of a tenant differs from its last event            tenant classified
//	all events of a generation are in the log                          pool classified
//
// The Actor is pure. Its shell performs two actions: it reads the stream of history into an
// archive, and returns what package study makes of it. All decisions of the actor follow from
// these results and from the log, so it makes a lost batch again. The results are not in its
// snapshot. A new leader learns anew, under a later generation, and the old leader's events of an
// unfinished generation count nowhere.
//
// A generation that the log makes void or refuses is dropped, and the next one follows after an hour. A
// tenant that the log refuses is left out. A pool has at most ledger.MostTenants tenants; those beyond
// are left out. When a slotter or admission of an earlier release, which passed over the classifier's
// events, is upgraded, all tenants are reported again.
//
// Packages, from samples to classes: series, spectrum, kmeans, classes, learn, drift,
// generation, tenure, archive, study.
package classifier
