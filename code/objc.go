//go:build !nocode

package code

import (
	"slices"
	"strings"

	"uncoil/request"
)

// What NSURLSession does by itself, as Apple documents it: it adds Accept,
// Accept-Encoding, Accept-Language, User-Agent and Connection, and to content
// without a type that of a form; joins fields of one name by a comma; sends no
// content with GET; follows redirects unless a delegate says not to. GNUstep
// has no such class that a compiler here could use, so nothing is measured.
var objcURLSession = Target{
	Name: "objc", Language: "objc", Client: "NSURLSession", Version: "macOS 11", Kind: Code, Extension: "m",
	Aliases: []string{"objective-c", "objc-nsurlsession", "nsurlsession"},
	style:   style{indent: "    ", comma: ",", comment: "// "}, write: writeObjC,
	client: client{
		adds:     []string{"Accept", "Accept-Encoding", "Accept-Language", "User-Agent", "Connection"},
		always:   []string{"Accept", "User-Agent"},
		fixed:    []string{"Connection", "Transfer-Encoding"},
		bodiless: []string{"GET", "HEAD"},
		says:     []string{"followRedirects", "maxTime", "connectTimeout", "insecure"},
		versions: []string{"1.1", "2"},
	},
}

func writeObjC(p *program) {
	delegate := slices.ContainsFunc(p.calls, func(c *call) bool { return !c.follow || c.insecure && c.secure() })
	sections := p.sections(2, func(c *call, suffix string) {
		r := objcRequest{program: p, call: c, suffix: suffix}
		r.write()
	})
	if p.options.Bare {
		p.join(sections)
		return
	}
	p.line("#import <Foundation/Foundation.h>")
	p.line()
	if delegate {
		p.objcDelegate()
	}
	for _, h := range p.helpers {
		p.dst = append(p.dst, h...)
		p.line()
	}
	p.block("int main(void) {", func() {
		p.block("@autoreleasepool {", func() { p.join(sections) })
		p.line("}")
		p.line("return 0;")
	})
	p.line("}")
}

// objcDelegate writes the classes that keep a session from what curl does not
// do unasked.
func (p *program) objcDelegate() {
	p.line("@interface Delegate : NSObject <NSURLSessionTaskDelegate>")
	p.line("@end")
	p.line()
	p.line("@implementation Delegate")
	if slices.ContainsFunc(p.calls, func(c *call) bool { return !c.follow }) {
		p.line("- (void)URLSession:(NSURLSession *)session")
		p.line("                          task:(NSURLSessionTask *)task")
		p.line("    willPerformHTTPRedirection:(NSHTTPURLResponse *)response")
		p.line("                    newRequest:(NSURLRequest *)request")
		p.line("             completionHandler:(void (^)(NSURLRequest *))completionHandler {")
		p.line("    completionHandler(nil); // curl had no -L")
		p.line("}")
	}
	if slices.ContainsFunc(p.calls, func(c *call) bool { return c.insecure && c.secure() }) {
		p.line("- (void)URLSession:(NSURLSession *)session")
		p.line("    didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge")
		p.line("      completionHandler:(void (^)(NSURLSessionAuthChallengeDisposition, NSURLCredential *))completionHandler {")
		p.line("    SecTrustRef trust = challenge.protectionSpace.serverTrust;")
		p.line("    completionHandler(NSURLSessionAuthChallengeUseCredential, trust ? [NSURLCredential credentialForTrust:trust] : nil);")
		p.line("}")
	}
	p.line("@end")
	p.line()
}

// An objcRequest writes one call with NSURLSession.
type objcRequest struct {
	*program
	*call
	suffix string
}

func objcString(s string) string { return "@" + cString(s) }

// text returns an expression of type NSString *.
func (r *objcRequest) text(t text) string {
	if !t.isText() {
		r.refuse("sends only UTF-8 there")
	}
	if s, ok := t.plain(); ok {
		return objcString(s)
	}
	if len(t) == 1 {
		return r.variable(t[0].variable)
	}
	format, arguments := t.format("%@", doublePercent, r.variable)
	return "[NSString stringWithFormat:" + objcString(format) + arguments + "]"
}

func (r *objcRequest) variable(v *request.Variable) string {
	expr := "NSProcessInfo.processInfo.environment[" + objcString(v.Name) + "]"
	if v.HasDefault {
		expr = "(" + expr + " ?: " + objcString(v.Default) + ")"
	}
	switch v.Encoding {
	case request.JSONEscape:
		r.refuse("escapes no variable for JSON")
	case request.Percent, request.FormEncode:
		r.help(objcEncode)
		expr = "PercentEncode(" + expr + ")"
		if v.Encoding == request.FormEncode {
			expr = "[" + expr + ` stringByReplacingOccurrencesOfString:@"%20" withString:@"+"]`
		}
	}
	return expr
}

const objcEncode = `static NSString *PercentEncode(NSString *text) {
    NSMutableCharacterSet *plain = [NSMutableCharacterSet characterSetWithCharactersInString:@"-._~"];
    [plain addCharactersInString:@"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"];
    return [text stringByAddingPercentEncodingWithAllowedCharacters:plain];
}
`

func (r *objcRequest) write() {
	request := "request" + r.suffix
	if strings.ContainsAny(r.url.literals(), "\"<>[]\\^`{|} ") || !r.url.isASCII() {
		r.refuse("reads no URL with such characters")
	}
	url := r.text(r.url)
	if r.guess {
		r.line("NSString *address", r.suffix, " = ", url, ";")
		url = "address" + r.suffix
		r.block("if (!["+url+` containsString:@"://"]) {`, func() {
			r.line(url, ` = [@"http://" stringByAppendingString:`, url, "]; // as curl does")
		})
		r.line("}")
	}
	r.line("NSMutableURLRequest *", request, " = [NSMutableURLRequest requestWithURL:[NSURL URLWithString:", url, "]];")
	if r.Method != "GET" {
		r.line(request, ".HTTPMethod = ", objcString(r.Method), ";")
	}
	seen := make(map[string]bool, len(r.fields))
	for _, f := range r.fields {
		lower := strings.ToLower(f.name)
		verb := "setValue"
		if seen[lower] {
			verb = "addValue"
		}
		seen[lower] = true
		value := ""
		if f.derived && f.is("Authorization") {
			both := mergeLiterals(append(append(slices.Clone(r.basic.user), part{literal: ":"}), r.basic.password...))
			r.line("NSData *credentials", r.suffix, " = [", r.text(both), " dataUsingEncoding:NSUTF8StringEncoding];")
			value = `[@"Basic " stringByAppendingString:[credentials` + r.suffix + " base64EncodedStringWithOptions:0]]"
		} else {
			value = r.text(f.value)
		}
		r.line("[", request, " ", verb, ":", value, " forHTTPHeaderField:", objcString(f.name), "];")
	}
	r.content(request)
	r.line()
	r.send(request)
}

// content writes the statements that set the content.
func (r *objcRequest) content(request string) {
	if r.body.kind != noBody && r.body.kind != multipartBody && r.field("Content-Type") == nil {
		r.refuse("gives content the type of a form")
	}
	switch r.body.kind {
	case rawBody:
		if data, ok := r.body.data.plain(); ok && !r.body.data.isText() {
			r.line(request, ".HTTPBody = [NSData dataWithBytes:", cString(data), " length:", itoa(len(data)), "];")
			return
		}
		r.line(request, ".HTTPBody = [", r.text(r.body.data), " dataUsingEncoding:NSUTF8StringEncoding];")
	case multipartBody:
		pieces, contentType := r.multipartPieces()
		if r.field("Content-Type") == nil {
			r.line("[", request, " setValue:", objcString(contentType), ` forHTTPHeaderField:@"Content-Type"];`)
		}
		r.pieces(request, pieces)
	case fileBody, pieceBody:
		pieces := r.body.list
		if r.body.kind == fileBody && r.body.file.source() != "-" {
			r.line(request, ".HTTPBody = [NSData dataWithContentsOfFile:", r.text(r.body.file), "];")
			return
		}
		r.pieces(request, pieces)
	}
}

// pieces writes the statements that join texts and files.
func (r *objcRequest) pieces(request string, pieces []piece) {
	body := "body" + r.suffix
	r.line("NSMutableData *", body, " = [NSMutableData data];")
	add := func(s string) { r.line("[", body, " appendData:", s, "];") }
	for _, one := range pieces {
		if one.isText {
			add("[" + r.text(one.text) + " dataUsingEncoding:NSUTF8StringEncoding]")
			continue
		}
		if len(one.name) > 0 {
			add("[" + r.text(one.prefix()) + " dataUsingEncoding:NSUTF8StringEncoding]")
		}
		data := "[NSFileHandle.fileHandleWithStandardInput readDataToEndOfFile]"
		if one.file.source() != "-" {
			data = "[NSData dataWithContentsOfFile:" + r.text(one.file) + "]"
		}
		if one.offset > 0 {
			r.line("NSData *file", r.suffix, " = ", data, ";")
			data = "file" + r.suffix
			data = "[" + data + " subdataWithRange:NSMakeRange(" + itoa(int(one.offset)) + ", " + data + ".length - " + itoa(int(one.offset)) + ")]"
		}
		if one.strip {
			r.help(objcStrip)
			data = "WithoutLineBreaks(" + data + ")"
		}
		if one.urlencode {
			r.help(objcEncode)
			data = "[[PercentEncode([[NSString alloc] initWithData:" + data + " encoding:NSUTF8StringEncoding])"
			data += ` stringByReplacingOccurrencesOfString:@"%20" withString:@"+"] dataUsingEncoding:NSUTF8StringEncoding]`
		}
		add(data)
	}
	r.line(request, ".HTTPBody = ", body, ";")
}

const objcStrip = `static NSData *WithoutLineBreaks(NSData *data) {
    NSMutableData *rest = [NSMutableData data];
    const char *bytes = data.bytes;
    for (NSUInteger i = 0; i < data.length; i++) {
        if (bytes[i] != '\r' && bytes[i] != '\n' && bytes[i] != '\0') {
            [rest appendBytes:bytes + i length:1];
        }
    }
    return rest;
}
`

// send writes the statements that send the request and wait for the response.
func (r *objcRequest) send(request string) {
	configuration, session, task, done := "configuration"+r.suffix, "session"+r.suffix, "task"+r.suffix, "done"+r.suffix
	r.line("NSURLSessionConfiguration *", configuration, " = NSURLSessionConfiguration.ephemeralSessionConfiguration;")
	if len(r.cookieJar) == 0 || r.field("Cookie") != nil {
		r.line(configuration, ".HTTPShouldSetCookies = NO;")
	}
	if r.connectTimeout > 0 {
		r.line(configuration, ".timeoutIntervalForRequest = ", seconds(r.connectTimeout), ";")
	}
	if r.timeout > 0 {
		r.line(configuration, ".timeoutIntervalForResource = ", seconds(r.timeout), ";")
	}
	delegate := "nil"
	if !r.follow || r.insecure && r.secure() {
		delegate = "[Delegate new]"
	}
	r.line("NSURLSession *", session, " = [NSURLSession sessionWithConfiguration:", configuration, " delegate:", delegate, " delegateQueue:nil];")
	r.line("dispatch_semaphore_t ", done, " = dispatch_semaphore_create(0);")
	r.line("NSURLSessionDataTask *", task, " =")
	r.level++
	r.line("[", session, " dataTaskWithRequest:", request)
	r.line(strings.Repeat(" ", len(session)), "   completionHandler:^(NSData *data, NSURLResponse *response, NSError *error) {")
	r.level++
	r.block("if (error) {", func() { r.line(`NSLog(@"%@", error);`) })
	if r.fail {
		r.block("} else if (((NSHTTPURLResponse *)response).statusCode >= 400) {", func() {
			r.line(`NSLog(@"%ld", (long)((NSHTTPURLResponse *)response).statusCode);`)
		})
	}
	switch r.destination(r.program.options) {
	case toFile:
		r.block("} else {", func() { r.line("[data writeToFile:", r.text(r.output), " atomically:YES];") })
	case headersPrinted:
		r.block("} else {", func() { r.line(`NSLog(@"%@", ((NSHTTPURLResponse *)response).allHeaderFields);`) })
	case contentPrinted:
		r.block("} else {", func() { r.line("[NSFileHandle.fileHandleWithStandardOutput writeData:data];") })
	}
	r.line("}")
	r.line("dispatch_semaphore_signal(", done, ");")
	r.level--
	r.line("}];")
	r.level--
	r.line("[", task, " resume];")
	r.line("dispatch_semaphore_wait(", done, ", DISPATCH_TIME_FOREVER);")
}
