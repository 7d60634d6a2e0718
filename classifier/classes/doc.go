// Package classes names the classes of tenants so that a name follows its members from one
// generation to the next.
//
// Every day k-means groups the tenants anew, with arbitrary group numbers. A group takes the name
// of the class of the same pattern with which it shares the most members. Where two groups match
// one name, the larger share wins, and the other group gets a name that was never used. Names look
// like constant-7. The counter is in the state, so a name that is gone does not come back.
//
// The package is pure.
package classes
