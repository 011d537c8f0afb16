package transfer

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/peer"
	"uncoil/internal/engine/source"
	"uncoil/request"
)

// config is the sum of the settings of one operation: of most options the last
// one, of some the list of all. It corresponds to OperationConfig in curl 8.22
// src/tool_cfgable.h, and has the options that a request depends on.
type config struct {
	settings []curl.Setting
	nodes    []node
	oneNode  [1]node // room for the usual case
	// The first nodes that lack a URL, a file to upload, an output.
	urlCursor, uploadCursor, outputCursor int

	method     value // -X
	head       bool  // -I
	get        bool  // -G
	kind       kind  // the one kind of request asked for
	data       data
	hasData    bool
	json       *curl.Setting // the first --json
	query      pieces        // --url-query
	hasQuery   bool
	form       *form
	formEscape bool

	headers   []header
	userAgent value
	referer   value
	// autoReferer is the setting that has Referer name the URL before when curl is
	// redirected, or nil.
	autoReferer *curl.Setting
	rangeSpec   value
	resume      int64 // -C
	hasResume   bool
	resumeEnd   bool // -C -: from the end of the local file
	// resumesFile reports that -C - has met the file of an output, so that later URLs
	// without one go on where that file ends.
	resumesFile bool
	timeCond    value
	etagFile    value

	cookies      []value
	cookieFiles  []value
	newSession   bool // -j
	savesCookies bool // -c

	missing []request.MissingFile
	settled settledOptions

	user          value
	bearer        value
	authTypes     authTypes
	awsSigv4      value
	httpsig       []request.Param
	netrc         bool
	netrcOptional bool
	netrcFile     value

	globOff       bool
	pathAsIs      bool
	disallowUser  bool
	protoDefault  value
	protocols     curl.Protocols // of --proto, if restricts
	restricts     bool
	ipfsGateway   value
	hsts          value
	target        value
	trEncoding    bool
	trEncodingAt  diag.Span
	compressed    bool
	httpVersion   string
	proxy         string
	proxyValue    value
	noProxy       string
	noProxyHosts  *peer.NoProxy // of noProxy, from the first look at it on
	resolves      bool          // curl takes each --resolve
	unixSocket    bool          // which leaves no room for a proxy
	connectTo     bool
	crlf          bool // --crlf
	ascii         bool // --use-ascii
	proxyTunnel   bool
	remoteNameAll bool
}

// value is the argument of an option that was used, and how.
type value struct {
	Text    string        // the argument, or what curl makes of it
	setting *curl.Setting // nil: the option was not used
}

func valueOf(s *curl.Setting) value { return value{s.Value.Text, s} }

func (v value) set() bool { return v.setting != nil }

// from returns the option as typed, or nothing.
func (v value) from() string {
	if v.setting == nil {
		return ""
	}
	return v.setting.Name
}

// at returns where the option stands, or nowhere.
func (v value) at() diag.Span {
	if v.setting == nil {
		return diag.Span{}
	}
	return v.setting.Span
}

// word returns the argument as typed, with its place, or none.
func (v value) word() *source.Word {
	if v.setting == nil {
		return &source.Word{}
	}
	return v.setting.Value
}

// span returns where the argument stands.
func (v value) span() diag.Span { return v.word().Span }

// holes returns the unknown variables in the argument.
func (v value) holes() []source.Hole { return v.word().Holes }

// kind is the kind of request that options ask for; curl allows one
// (HttpReq in curl 8.22 src/tool_sdecls.h).
type kind uint8

const (
	kindUnset kind = iota
	kindGet
	kindHead
	kindForm
	kindPost
	kindPut
)

var kindNames = [...]string{"", "GET (-G, --get)", "HEAD (-I, --head)", "a multipart form (-F, --form)", "POST (-d, --data)", "PUT (-T, --upload-file)"}

// node is a URL with the file to upload to it and where its output goes.
// -T, -o and -O each go to the first URL that has none yet, or wait for the
// next one (struct getout in curl 8.22 src/tool_sdecls.h).
type node struct {
	url       value
	hasURL    bool
	noGlob    bool
	upload    value
	hasUpload bool
	output    string
	hasOutput bool
	remote    bool      // -O
	discard   bool      // --out-null
	outputAt  diag.Span // of the option that says where the output goes
}

// nextNode returns the node that a cursor points at, adding one after the
// last, and moves the cursor on.
func (c *config) nextNode(b *builder, cursor *int) *node {
	if *cursor == len(c.nodes) {
		if !meter.Append(b.in.Meter, &c.nodes, node{remote: c.remoteNameAll}) {
			return new(node)
		}
	}
	*cursor++
	return &c.nodes[*cursor-1]
}

// urls returns how many URLs there are, globs not counted.
func (c *config) urls() int64 {
	for i := range c.nodes {
		if !c.nodes[i].hasURL {
			return int64(i)
		}
	}
	return int64(len(c.nodes))
}

// configure reads the settings of an operation, in order, into an empty
// configuration.
func (b *builder) configure(c *config, op *curl.Operation) {
	c.settings = op.Settings
	headers := count(op.Settings, curl.OptHeader)
	if !b.in.Meter.Hold(sizeOfNode*op.URLs + sizeOfHeader*headers) {
		return
	}
	if c.nodes = c.oneNode[:0]; op.URLs > 1 {
		c.nodes = make([]node, 0, op.URLs)
	}
	c.headers = slices.Grow(c.headers[:0], headers)
	for i := range op.Settings {
		s := &op.Settings[i]
		switch s.ID {
		case curl.OptUrl:
			n := c.nextNode(b, &c.urlCursor)
			n.url, n.hasURL, n.noGlob = valueOf(s), true, !s.On
			if !s.On { // from a file: as with -O
				n.remote = true
			}
		case curl.OptUploadFile:
			n := c.nextNode(b, &c.uploadCursor)
			n.upload, n.hasUpload = valueOf(s), true
		case curl.OptOutput, curl.OptOutNull:
			n := c.nextNode(b, &c.outputCursor)
			n.output, n.hasOutput, n.remote, n.discard, n.outputAt = s.Value.Text, true, false, s.ID == curl.OptOutNull, s.Span
		case curl.OptRemoteName:
			if s.On || c.remoteNameAll {
				n := c.nextNode(b, &c.outputCursor)
				n.output, n.hasOutput, n.remote, n.discard, n.outputAt = "", true, s.On, false, s.Span
			}
		case curl.OptRemoteNameAll:
			c.remoteNameAll = s.On
		case curl.OptRequest:
			c.method = valueOf(s)
		case curl.OptHead:
			c.head, c.kind = s.On, kindGet
			if s.On {
				c.kind = kindHead
			}
		case curl.OptGet:
			c.get = s.On
		case curl.OptData, curl.OptDataAscii, curl.OptDataBinary, curl.OptDataRaw, curl.OptDataUrlencode, curl.OptJson:
			c.hasData = true
			if c.json == nil && s.ID == curl.OptJson {
				c.json = s
			}
			c.data.add(b, s)
		case curl.OptUrlQuery:
			b.addQuery(c, s)
		case curl.OptForm, curl.OptFormString:
			if c.form == nil {
				parts := count(op.Settings, curl.OptForm) + count(op.Settings, curl.OptFormString)
				if !b.in.Meter.Hold(meter.SizeOf[request.Part]() * parts) {
					return
				}
				c.form = &form{meter: b.in.Meter, parts: make([]request.Part, 0, parts)}
			}
			c.kind = kindForm
			c.form.add(b, s)
		case curl.OptFormEscape:
			c.formEscape = s.On
		case curl.OptHeader:
			b.addHeader(c, s)
		case curl.OptUserAgent:
			c.userAgent = valueOf(s)
		case curl.OptReferer:
			text, auto := strings.CutSuffix(s.Value.Text, ";auto")
			c.referer, c.autoReferer = value{}, nil
			if text != "" {
				c.referer = value{text, s}
			}
			if auto {
				c.autoReferer = s
			}
		case curl.OptRange:
			c.rangeSpec = valueOf(s)
			b.checkRange(c)
		case curl.OptContinueAt:
			c.setResume(s)
		case curl.OptTimeCond:
			c.timeCond = valueOf(s)
		case curl.OptEtagCompare:
			c.etagFile = valueOf(s)
		case curl.OptCookie:
			if namesCookieFile(s.Value) {
				meter.Append(b.in.Meter, &c.cookieFiles, valueOf(s))
			} else {
				meter.Append(b.in.Meter, &c.cookies, valueOf(s))
			}
		case curl.OptFailEarly:
			b.failEarly = s.On
		case curl.OptCookieJar:
			c.savesCookies = true
		case curl.OptJunkSessionCookies:
			c.newSession = s.On
		case curl.OptUser:
			c.user = valueOf(s)
		case curl.OptOauth2Bearer:
			c.bearer = valueOf(s)
			c.authTypes |= authBearer
		case curl.OptAwsSigv4:
			c.awsSigv4 = valueOf(s)
			c.authTypes |= authAWS
		case curl.OptHttpsigAlgo, curl.OptHttpsigHeaders, curl.OptHttpsigKey, curl.OptHttpsigKeyid:
			c.httpsig = append(c.httpsig, request.Param{Name: strings.TrimPrefix(s.Long, "httpsig-"), Value: s.Value.Text})
			if s.ID == curl.OptHttpsigAlgo {
				c.authTypes |= authHTTPSig
			}
		case curl.OptAnyauth:
			c.authTypes = authAny
		case curl.OptBasic:
			c.authTypes.toggle(authBasic, s.On)
		case curl.OptDigest:
			c.authTypes.toggle(authDigest, s.On)
		case curl.OptNtlm:
			c.authTypes.toggle(authNTLM, s.On)
		case curl.OptNegotiate:
			c.authTypes.toggle(authNegotiate, s.On)
		case curl.OptNetrc:
			c.netrc = s.On
		case curl.OptNetrcOptional:
			c.netrcOptional = s.On
		case curl.OptNetrcFile:
			c.netrcFile = valueOf(s)
		case curl.OptGloboff:
			c.globOff = s.On
		case curl.OptPathAsIs:
			c.pathAsIs = s.On
		case curl.OptDisallowUsernameInUrl:
			c.disallowUser = s.On
		case curl.OptProtoDefault:
			c.protoDefault = valueOf(s)
		case curl.OptProto:
			c.protocols, c.restricts = curl.ParseProtocols(s.Value.Text, false), true
		case curl.OptIpfsGateway:
			c.ipfsGateway = valueOf(s)
		case curl.OptHsts:
			c.hsts = valueOf(s)
		case curl.OptRequestTarget:
			c.target = valueOf(s)
		case curl.OptTrEncoding:
			c.trEncoding, c.trEncodingAt = s.On, s.Span
		case curl.OptCompressed:
			c.compressed = s.On
		case curl.OptHttp1_0, curl.OptHttp1_1, curl.OptHttp2, curl.OptHttp2PriorKnowledge, curl.OptHttp3, curl.OptHttp3Only:
			c.httpVersion = strings.TrimPrefix(s.Long, "http")
		case curl.OptProxy, curl.OptProxy1_0:
			c.proxy, c.proxyValue = s.Value.Text, valueOf(s)
		case curl.OptSocks4, curl.OptSocks4a, curl.OptSocks5, curl.OptSocks5Hostname:
			c.proxy, c.proxyValue = socksProxy(s), valueOf(s)
		case curl.OptUnixSocket, curl.OptAbstractUnixSocket:
			c.unixSocket = true
		case curl.OptConnectTo:
			c.connectTo = true
		case curl.OptNoproxy:
			c.noProxy = s.Value.Text
		case curl.OptCrlf:
			c.crlf = s.On
		case curl.OptUseAscii:
			c.ascii = s.On
		case curl.OptProxytunnel:
			c.proxyTunnel = s.On
		}
	}
}

// What a configuration keeps for a URL and for a header field.
var (
	sizeOfNode   = meter.SizeOf[node]()
	sizeOfHeader = meter.SizeOf[header]()
)

// count returns how often an option was used.
func count(settings []curl.Setting, id curl.OptionID) int {
	n := 0
	for i := range settings {
		if settings[i].ID == id {
			n++
		}
	}
	return n
}

// settleMethod decides what kind of request the operation makes, and
// refuses two kinds at once: single_transfer() in curl 8.22
// src/tool_operate.c.
func (c *config) settleMethod(b *builder) bool {
	if !c.hasData {
		return true
	}
	want := kindPost
	if c.get {
		if want = kindGet; c.head {
			want = kindHead
		}
	}
	return c.want(b, want, c.data.last)
}

// want notes the kind of request that a setting asks for.
func (c *config) want(b *builder, k kind, because value) bool {
	if c.kind == kindUnset || c.kind == k {
		c.kind = k
		return true
	}
	b.fail(diag.Diagnostic{
		Code: diag.CodeConflictingOptions, Span: because.setting.Span, Option: because.from(),
		Message: "curl can make only one kind of request: " + kindNames[k] + " and " + kindNames[c.kind] + " are both asked for",
		Hint:    clashHint(k, c.kind),
	})
	return false
}

// clashHint returns what to write where two kinds of request are asked for.
func clashHint(a, b kind) string {
	switch first, second := min(a, b), max(a, b); {
	case first == kindHead && second == kindPost:
		return "write -i for -I to see the header of the answer, or -G to put the data into the URL"
	case first == kindHead:
		return "write -i for -I to see the header of the answer"
	case first == kindForm && second == kindPost:
		return "write the data as fields of the form, with -F, or the fields as data, with -d"
	case first == kindForm && second == kindPut:
		return "write -F name=@file to send the file as a field of the form, or remove one of the two"
	case first == kindPost && second == kindPut:
		return "write --data-binary @file to send a file as data, or remove one of the two"
	}
	return "remove one of the two"
}

// lack notes a file that was not supplied.
func (c *config) lack(name, role string) {
	if f := (request.MissingFile{Name: name, Role: role}); !slices.Contains(c.missing, f) {
		c.missing = append(c.missing, f)
	}
}
