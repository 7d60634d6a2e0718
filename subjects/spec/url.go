package spec

import "strings"

const maxTag = 256 // bytes

// IsURL reports whether an input is one that hosts read over HTTP.
func IsURL(path string) bool {
	return strings.HasPrefix(path, "http://") || strings.HasPrefix(path, "https://")
}

// checkInput wants an absolute path, or the URL of a file.
func checkInput(at string, r Range) error {
	if len(r.Tag) > maxTag || strings.ContainsFunc(r.Tag, control) {
		return faultf(at+".tag", "an entity tag has at most %d bytes, without control characters", maxTag)
	}
	if !IsURL(r.Path) {
		return checkPath(at+".path", r.Path)
	}
	unfit := func(c rune) bool { return c == ' ' || control(c) }
	_, rest, _ := strings.Cut(r.Path, "://")
	if host, _, _ := strings.Cut(rest, "/"); host == "" || len(r.Path) > maxPath || strings.ContainsFunc(r.Path, unfit) {
		return faultf(at+".path", "%.80q is not a URL: write it as https://host/path, at most %d bytes, without spaces", r.Path, maxPath)
	}
	return nil
}
