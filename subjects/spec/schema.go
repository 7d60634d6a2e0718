package spec

import "encoding/json"

// Schema is a JSON Schema (draft 2020-12), as far as documents need one.
type Schema struct {
	Dialect     string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        string             `json:"type,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	Pattern     string             `json:"pattern,omitempty"`
	MinLength   int                `json:"minLength,omitempty"`
	Minimum     *float64           `json:"minimum,omitempty"`
	Maximum     *float64           `json:"maximum,omitempty"`
	MinItems    int                `json:"minItems,omitempty"`
	MaxItems    int                `json:"maxItems,omitempty"`
	Items       *Schema            `json:"items,omitempty"`
	AnyOf       []*Schema          `json:"anyOf,omitempty"`
	Properties  map[string]*Schema `json:"properties,omitempty"`
	Required    []string           `json:"required,omitempty"`
	// Additional is the schema of all other properties, or false for none.
	Additional any `json:"additionalProperties,omitempty"`
}

// DocumentSchema returns the schema of job documents.
func DocumentSchema() *Schema {
	s := objectOf(new(Doc).fields())
	s.Dialect, s.Title = "https://json-schema.org/draft/2020-12/schema", "lull job document"
	return s
}

// JSON returns the schema as text.
func (s *Schema) JSON() ([]byte, error) {
	body, err := json.MarshalIndent(s, "", "  ")
	return append(body, '\n'), err
}

// objectOf is the schema of a map with these fields and no others.
func objectOf(fields []field) *Schema {
	s := &Schema{Type: "object", Properties: map[string]*Schema{}, Additional: false}
	for i := range fields {
		f := &fields[i]
		property := f.form(f)
		property.Description = f.doc
		s.Properties[f.name] = property
		if f.must {
			s.Required = append(s.Required, f.name)
		}
	}
	return s
}
