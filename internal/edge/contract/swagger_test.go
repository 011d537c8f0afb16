package contract

import (
	"slices"
	"testing"

	"uncoil/diag"
)

// oldShop is a document of OpenAPI 2.0 with what such documents have of their own.
const oldShop = `swagger: "2.0"
host: api.shop.test
basePath: /v1/
schemes: [https, http]
consumes: [application/json]
securityDefinitions:
  login: {type: basic}
  key: {type: apiKey, in: header, name: X-Key}
security: [{login: []}, {key: []}]
parameters:
  limit: {name: limit, in: query, type: integer, maximum: 100}
  item: {name: item, in: body, required: true, schema: {$ref: "#/definitions/Item"}}
definitions:
  Item:
    type: object
    required: [name]
    properties: {name: {type: string}, price: {type: number}}
paths:
  /items:
    get:
      parameters:
        - {$ref: "#/parameters/limit"}
        - {name: ids, in: query, type: array, items: {type: integer}, collectionFormat: pipes}
    post:
      parameters: [{$ref: "#/parameters/item"}]
  /items/{id}:
    parameters: [{name: id, in: path, required: true, type: integer}]
    get: {}
    put:
      consumes: [application/xml]
      parameters: [{name: body, in: body, schema: {type: object}}]
  /files:
    post:
      consumes: [multipart/form-data]
      parameters:
        - {name: file, in: formData, type: file, required: true}
        - {name: size, in: formData, type: integer}
  /login:
    post:
      security: []
      parameters:
        - {name: user, in: formData, type: string, required: true}
  /any:
    post:
      consumes: []
      security: []
      parameters: [{name: body, in: body, schema: {type: object}}]
`

// TestSwagger holds commands against a document of OpenAPI 2.0.
func TestSwagger(t *testing.T) {
	d := open(t, "old.yaml", oldShop)
	for command, want := range map[string][]diag.Code{
		"curl -u a:b 'https://api.shop.test/v1/items?limit=5&ids=1|2'":            nil,
		"curl -H 'X-Key: k' https://api.shop.test/v1/items/7":                     nil,
		"curl -u a:b --json '{\"name\":\"Cup\"}' https://api.shop.test/v1/items":  nil,
		"curl -u a:b -F file=@a -F size=3 https://api.shop.test/v1/files":         nil,
		"curl -d user=ann https://api.shop.test/v1/login":                         nil,
		"curl -d '<a/>' -H 'Content-Type: text/xml' https://api.shop.test/v1/any": nil,
		"curl -u a:b 'https://api.shop.test/v1/items?limit=500'":                  {InvalidParameter},
		"curl -u a:b 'https://api.shop.test/v1/items?ids=1|two'":                  {InvalidParameter},
		"curl -u a:b 'https://api.shop.test/v1/items?size=1'":                     {UnknownParameter},
		"curl -u a:b https://api.shop.test/v1/items/seven":                        {InvalidParameter},
		"curl -u a:b --json '{\"price\":1}' https://api.shop.test/v1/items":       {InvalidBody},
		"curl -u a:b -X POST https://api.shop.test/v1/items":                      {MissingBody},
		"curl -u a:b -X PUT --json '{}' https://api.shop.test/v1/items/7":         {UnknownContentType},
		"curl -u a:b -F size=3 https://api.shop.test/v1/files":                    {InvalidBody},
		"curl -u a:b -F file=@a -F size=big https://api.shop.test/v1/files":       {InvalidBody},
		"curl -d name=ann https://api.shop.test/v1/login":                         {InvalidBody},
		"curl https://api.shop.test/v1/items":                                     {MissingCredentials},
		"curl -H 'Authorization: Bearer t' https://api.shop.test/v1/items":        {OtherCredentials},
		"curl -u a:b https://api.shop.test/v1/item":                               {UnknownPath},
		"curl -u a:b https://api.shop.test/v2/items":                              {UnknownPath},
		"curl -u a:b -X DELETE https://api.shop.test/v1/items/7":                  {UnknownMethod},
	} {
		r, err := parse(command, "")
		if err != nil {
			t.Fatal(command, err)
		}
		found, err := d.Check(r)
		if err != nil {
			t.Fatal(command, err)
		}
		var codes []diag.Code
		for i := range found {
			codes = append(codes, found[i].Code)
			if found[i].Against.Line < 1 {
				t.Errorf("%s: %s has no place", command, found[i].Code)
			}
		}
		if !slices.Equal(codes, want) {
			t.Errorf("%s: %q, want %q", command, codes, want)
		}
	}
}
