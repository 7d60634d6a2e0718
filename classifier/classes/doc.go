// Package classes names the classes of tenants so that a name follows its members from one
// generation to the next.
//
// Every day k-means groups the tenants anew, and numbers its groups as it likes. A group takes
// the name of the class of the same pattern with which it shares the most members; where two
// groups ask for one name, the larger share wins, and the other group gets a name that was
// never used. Names look like constant-7. The counter stands in the state, so a name that is
// gone does not come back.
//
// The package is pure.
package classes
