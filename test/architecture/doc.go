// Package architecture has tests of the project's own rules: which way imports run, and what a pure
// core may not do. Each failure names the place, the rule's violation, and the rule's reason.
package architecture
