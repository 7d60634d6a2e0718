package sum

import (
	"fmt"
	"strings"

	"lull/subjects/manifest"
)

// formatExtents writes extents as parseExtents reads them behind a path, nil as "".
func formatExtents(data []manifest.Extent) string {
	if data == nil {
		return ""
	}
	var text strings.Builder
	text.WriteString(" ")
	for i, e := range data {
		if i > 0 {
			text.WriteString(",")
		}
		fmt.Fprintf(&text, "%d:%d", e.Offset, e.Length)
	}
	return text.String()
}

// parseExtents cuts a request into the path, which has no space, and its extents, nil for the whole file.
func parseExtents(request string) (path string, data []manifest.Extent, err error) {
	path, list, sparse := strings.Cut(request, " ")
	if !sparse {
		return path, nil, nil
	}
	data = []manifest.Extent{}
	for list != "" {
		var text string
		text, list, _ = strings.Cut(list, ",")
		var e manifest.Extent
		if _, err := fmt.Sscanf(text, "%d:%d", &e.Offset, &e.Length); err != nil {
			return path, nil, fmt.Errorf("extent %q: %w", text, err)
		}
		data = append(data, e)
	}
	return path, data, nil
}
