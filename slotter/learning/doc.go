// Package learning keeps what finished tasks showed of their completion times, model by
// model, and decides when a model is to be fitted anew. How that is done is in package fit.
//
//	finished ──▶ Teach ──▶ Lesson (a window of samples) ──▶ Decide ──▶ fitted
//	fitted   ──▶ Adopt ──▶ the window goes on from the model that stands
//
// The package is pure: the ledger is an argument.
package learning
