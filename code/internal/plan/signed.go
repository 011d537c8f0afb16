package plan

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// A signature is what AWS Signature Version 4 is made with.
type signature struct {
	Key, Secret     Text
	Region, Service Text
}

// Signature returns what --aws-sigv4 signs with, and false where it is not Amazon's own
// provider, or where curl would refuse the host: Curl_output_aws_sigv4() in curl 8.22
// lib/http_aws_sigv4.c. Without a region or a service curl takes them from the host,
// service.region.amazonaws.com.
func (c *Call) Signature() (s signature, ok bool) {
	if c.Auth == nil || c.Auth.Scheme != "aws-sigv4" || c.Negotiated == nil {
		return s, false
	}
	parameters := map[string]Text{}
	for i, p := range c.Auth.Params {
		parameters[p.Name] = c.Text(p.Value, reqtext.At(request.MemberAuthParam, i))
	}
	first, _ := parameters["provider"].Plain()
	second, given := parameters["provider2"].Plain()
	if !ascii.EqualFold(first, "aws") || !given || !ascii.EqualFold(second, "amz") {
		return s, false
	}
	s = signature{c.Negotiated.User, c.Negotiated.Password, parameters["region"], parameters["service"]}
	if len(s.Region) > 0 && len(s.Service) > 0 {
		return s, true
	}
	url, known := c.Address()
	host, plain := url.Host.Plain()
	if !known || !plain {
		return s, false
	}
	service, rest, _ := strings.Cut(host, ".")
	region, _, _ := strings.Cut(rest, ".")
	if len(s.Service) == 0 {
		s.Service = Literal(service)
	}
	if len(s.Region) == 0 {
		s.Region = Literal(region)
	}
	return s, service != "" && region != ""
}

// RefuseSignature makes an error of --aws-sigv4 with parameters that tools for Amazon's
// signature have no place for.
func (p *Program) RefuseSignature(c *Call) {
	if _, ok := c.Signature(); !ok && c.Auth != nil && c.Auth.Scheme == "aws-sigv4" {
		p.RefuseAt(c.Auth.Span, "signs for aws:amz with a region and a service only")
	}
}

// OnDemand returns the name of the scheme of --ntlm or --negotiate and the credentials, with the
// domain, for a client that sends them once the server asks for them. It warns of that.
func (p *Program) OnDemand(c *Call) (scheme string, domain Text, who *Credentials) {
	scheme = "Negotiate"
	domain, who = nil, c.Negotiated
	if c.Auth.Scheme == "ntlm" {
		scheme = "NTLM"
		domain, who = c.Ntlm()
	}
	p.CannotAt(c.Auth.Span, "sends Authorization once the server asks for it", "curl sends it at once")
	return scheme, domain, who
}

// Ntlm returns the credentials of --ntlm with the domain that curl finds before a
// backslash or a slash: Curl_auth_create_ntlm_type3_message() in curl 8.22
// lib/vauth/ntlm.c.
func (c *Call) Ntlm() (domain Text, who *Credentials) {
	if c.Auth == nil || c.Auth.Scheme != "ntlm" || c.Negotiated == nil {
		return nil, nil
	}
	user := c.Negotiated.User
	if i := strings.IndexAny(user.Source(), `\/`); i >= 0 && !HasVariable(user) {
		whole := user.Source()
		return Literal(whole[:i]), &Credentials{User: Literal(whole[i+1:]), Password: c.Negotiated.Password}
	}
	return nil, c.Negotiated
}
