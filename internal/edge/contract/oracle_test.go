package contract

import (
	"context"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/legacy"

	"uncoil/diag"
	"uncoil/httprequest"
)

// judged are the kinds of findings that kin-openapi has an opinion of: it takes unknown
// parameters, content where none is described, and deprecated operations.
var judged = []diag.Code{UnknownPath, UnknownMethod, MissingParameter, InvalidParameter, UnknownContentType, MissingBody, InvalidBody, MissingCredentials, OtherCredentials}

// differs says why kin-openapi judges a command otherwise.
func differs(c string) string {
	switch {
	case strings.Contains(c, "localhost"), strings.Contains(c, "v2/none"), strings.Contains(c, "shop.test/graphql"), strings.Contains(c, "www.shop"), strings.Contains(c, "evil"):
		return "it goes to no server of the document"
	case strings.Contains(c, "items   ?"):
		return "curl sends no such URL"
	case strings.Contains(c, "reports/"):
		return "its router knows no two parameters in one segment"
	case strings.Contains(c, "http://"):
		return "it compares the scheme"
	case strings.Contains(c, "API.shop"):
		return "it compares the case of a host"
	case strings.ContainsAny(c, "$<{…") && !strings.Contains(c, "'{\""), strings.Contains(c, "..."), strings.Contains(c, "/:id"), strings.Contains(c, "<price>"):
		return "it takes a placeholder for a value"
	case strings.Contains(c, " -I "), strings.Contains(c, "OPTIONS"):
		return "it knows no method that is not described"
	case strings.Contains(c, "@S/items/ "), strings.HasSuffix(c, "/"):
		return "it tells a slash at the end of a path"
	case strings.Contains(c, "@a."), strings.Contains(c, "@item"), strings.Contains(c, "-T "), strings.Contains(c, " -n "):
		return "it reads content that nobody supplied"
	}
	return ""
}

// TestAgainstKinOpenAPI holds the expectations of the other tests to a judge of its own:
// what kin-openapi would answer a client that sends the same.
func TestAgainstKinOpenAPI(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromFile("testdata/shop-3.0.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := document.Validate(context.Background()); err != nil {
		t.Fatal(err)
	}
	router, err := legacy.NewRouter(document)
	if err != nil {
		t.Fatal(err)
	}
	authenticate := func(_ context.Context, in *openapi3filter.AuthenticationInput) error {
		request, scheme := in.RequestValidationInput.Request, in.SecurityScheme
		value := request.Header.Get("Authorization")
		switch {
		case scheme.Type == "apiKey" && scheme.In == "query":
			value = request.URL.Query().Get(scheme.Name)
		case scheme.Type == "apiKey":
			value = request.Header.Get(scheme.Name)
		case !strings.HasPrefix(strings.ToLower(value), scheme.Scheme+" "):
			value = ""
		}
		if value == "" {
			return in.NewError(nil)
		}
		return nil
	}
	judge := func(c string) error {
		r, err := parse(c, "")
		if err != nil {
			t.Fatal(c, err)
		}
		request, err := httprequest.New(t.Context(), &r.Requests[0], nil)
		if err != nil {
			t.Fatal(c, err)
		}
		route, parameters, err := router.FindRoute(request)
		if err != nil {
			return err
		}
		return openapi3filter.ValidateRequest(t.Context(), &openapi3filter.RequestValidationInput{
			Request: request, PathParams: parameters, Route: route, Options: &openapi3filter.Options{AuthenticationFunc: authenticate},
		})
	}
	compared := 0
	for _, code := range judged {
		for _, c := range planted[code] {
			if differs(c) == "" {
				compared++
				if judge(short.Replace(c)) == nil {
					t.Errorf("%s: %s\nkin-openapi takes it", code, c)
				}
			}
		}
	}
	for _, c := range clean {
		if differs(c) == "" {
			compared++
			if err := judge(short.Replace(c)); err != nil {
				t.Errorf("clean: %s\nkin-openapi says %v", c, err)
			}
		}
	}
	if compared < 80 {
		t.Errorf("only %d commands were compared", compared)
	}
}
