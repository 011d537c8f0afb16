package code

import (
	"slices"
	"strings"

	"uncoil/internal/engine/mime"
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
	style:   style{indent: "    ", comma: ",", comment: "// ", wraps: "="}, write: writeObjC,
	client: client{
		http2:    true,
		adds:     fieldNames{"Accept", "Accept-Encoding", "Accept-Language", "User-Agent", "Connection"},
		always:   fieldNames{"Accept", "User-Agent"},
		fixed:    fieldNames{"Content-Length", "Connection"},
		codings:  noCoding,
		framed:   true,
		bodiless: []string{"GET", "HEAD"},
		counts:   enclosing,
		says:     []string{"createDirs", "cookieEngine", "followRedirects", "maxTime", "connectTimeout", "insecure"},
		versions: []string{"2"},
	},
}

func writeObjC(p *program) {
	delegate := slices.ContainsFunc(p.calls, func(c *call) bool { return !c.follow || c.insecure })
	sections := p.sections(2, func(c *call, suffix string) {
		r := objcRequest{p: p, c: c, suffix: suffix}
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
	if slices.ContainsFunc(p.calls, func(c *call) bool { return c.insecure }) {
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
	p      *program
	c      *call
	suffix string
}

func objcString(s string) string { return "@" + cString(s) }

// text returns an expression of type NSString *.
func (r *objcRequest) text(t text) string {
	if !t.isText() {
		r.p.refuse("sends only UTF-8 there")
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
	case userPart:
		expr = "[" + expr + ` componentsSeparatedByString:@":"].firstObject`
	case passwordPart:
		expr = "[" + expr + " substringFromIndex:[" + expr + ` rangeOfString:@":"].location + 1]`
	case lastSegment:
		expr += ".lastPathComponent"
	case request.JSONEscape:
		r.p.refuse("escapes no variable for JSON")
	case request.Percent, request.FormEncode:
		r.p.help(objcEncode)
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
	if strings.ContainsAny(r.c.url.literals(), "\"<>[]\\^`{|} ") || !r.c.url.isASCII() {
		r.p.refuse("reads no URL with such characters")
	}
	url := r.text(r.c.url)
	if r.c.guess {
		r.p.line("NSString *address", r.suffix, " = ", url, ";")
		url = "address" + r.suffix
		r.p.block("if (!["+url+` containsString:@"://"]) {`, func() {
			r.p.line(url, ` = [@"http://" stringByAppendingString:`, url, "]; // as curl does")
		})
		r.p.line("}")
	}
	if !r.c.guess {
		address := "url" + r.suffix
		r.p.folded("NSURL *"+address+" =", "[NSURL URLWithString:"+url+"];")
		url = address
	} else {
		url = "[NSURL URLWithString:" + url + "]"
	}
	r.p.folded("NSMutableURLRequest *"+request+" =", "[NSMutableURLRequest requestWithURL:"+url+"];")
	if r.c.Method != "GET" {
		r.p.line(request, ".HTTPMethod = ", objcString(r.c.Method), ";")
	}
	seen := make(map[string]bool, len(r.c.fields))
	for _, f := range r.c.fields {
		lower := strings.ToLower(f.name)
		verb := "setValue"
		if seen[lower] {
			verb = "addValue"
		}
		seen[lower] = true
		value := ""
		if f.derived && f.is("Authorization") {
			both := r.c.basic.joined()
			r.p.line("NSData *credentials", r.suffix, " = [", r.text(both), " dataUsingEncoding:NSUTF8StringEncoding];")
			value = `[@"Basic " stringByAppendingString:[credentials` + r.suffix + " base64EncodedStringWithOptions:0]]"
		} else {
			value = r.text(f.value)
		}
		r.p.folded("["+request+" "+verb+":"+value, "forHTTPHeaderField:"+objcString(f.name)+"];")
	}
	r.content(request)
	r.p.line()
	r.send(request)
}

// content writes the statements that set the content.
func (r *objcRequest) content(request string) {
	if r.c.body.kind != noBody && r.c.body.kind != multipartBody && r.c.field("Content-Type") == nil {
		r.p.refuse("gives content the type of a form")
	}
	switch r.c.body.kind {
	case rawBody:
		if data, ok := r.c.body.data.plain(); ok && !r.c.body.data.isText() {
			r.p.line(request, ".HTTPBody = [NSData dataWithBytes:", cString(data), " length:", itoa(len(data)), "];")
			return
		}
		r.p.line(request, ".HTTPBody = [", r.text(r.c.body.data), " dataUsingEncoding:NSUTF8StringEncoding];")
	case multipartBody:
		pieces, boundary := r.c.multipartPieces()
		r.p.line("[", request, " setValue:", objcString(mime.FormData+"; boundary="+boundary), ` forHTTPHeaderField:@"Content-Type"];`)
		r.pieces(request, pieces)
	case fileBody, pieceBody:
		pieces := r.c.body.list
		if r.c.body.kind == fileBody && r.c.body.file.source() != "-" {
			r.p.line(request, ".HTTPBody = [NSData dataWithContentsOfFile:", r.text(r.c.body.file), "];")
			return
		}
		r.pieces(request, pieces)
	}
}

// pieces writes the statements that join texts and files.
func (r *objcRequest) pieces(request string, pieces []piece) {
	body := "body" + r.suffix
	r.p.line("NSMutableData *", body, " = [NSMutableData data];")
	add := func(s string) { r.p.line("[", body, " appendData:", s, "];") }
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
			r.p.line("NSData *file", r.suffix, " = ", data, ";")
			data = "file" + r.suffix
			data = "[" + data + " subdataWithRange:NSMakeRange(" + itoa(int(one.offset)) + ", " + data + ".length - " + itoa(int(one.offset)) + ")]"
		}
		if one.strip {
			r.p.help(objcStrip)
			data = "WithoutLineBreaks(" + data + ")"
		}
		if one.urlencode {
			r.p.help(objcEncode)
			data = "[[PercentEncode([[NSString alloc] initWithData:" + data + " encoding:NSUTF8StringEncoding])"
			data += ` stringByReplacingOccurrencesOfString:@"%20" withString:@"+"] dataUsingEncoding:NSUTF8StringEncoding]`
		}
		add(data)
	}
	r.p.line(request, ".HTTPBody = ", body, ";")
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

// message writes a message with an argument on each line, whose colons are aligned as
// is usual in Objective-C.
func (r *objcRequest) message(before string, parts ...[]string) {
	colon := len(before) + len(parts[0][0])
	for i, part := range parts {
		if i > 0 {
			before = strings.Repeat(" ", max(colon-len(part[0]), 0))
		}
		end := ""
		if i == len(parts)-1 {
			end = "];"
		}
		r.p.line(before, part[0], ":", part[1], end)
	}
}

// send writes the statements that send the request and wait for the response.
func (r *objcRequest) send(request string) {
	configuration, session, task, done := "configuration"+r.suffix, "session"+r.suffix, "task"+r.suffix, "done"+r.suffix
	r.p.folded("NSURLSessionConfiguration *"+configuration+" =", "NSURLSessionConfiguration.ephemeralSessionConfiguration;")
	if !r.c.keepsCookies() || r.c.field("Cookie") != nil {
		r.p.line(configuration, ".HTTPShouldSetCookies = NO;")
	}
	if r.c.connectTimeout > 0 {
		r.p.line(configuration, ".timeoutIntervalForRequest = ", seconds(r.c.connectTimeout), ";")
	}
	if r.c.timeout > 0 {
		r.p.line(configuration, ".timeoutIntervalForResource = ", seconds(r.c.timeout), ";")
	}
	delegate := "nil"
	if !r.c.follow || r.c.insecure {
		delegate = "[Delegate new]"
	}
	r.message("NSURLSession *"+session+" = [NSURLSession ",
		[]string{"sessionWithConfiguration", configuration}, []string{"delegate", delegate}, []string{"delegateQueue", "nil"})
	r.p.line("dispatch_semaphore_t ", done, " = dispatch_semaphore_create(0);")
	r.p.line("NSURLSessionDataTask *", task, " =")
	r.p.level++
	r.p.line("[", session, " dataTaskWithRequest:", request)
	r.p.line(strings.Repeat(" ", len(session)), "   completionHandler:^(NSData *data, NSURLResponse *response, NSError *error) {")
	r.p.level++
	r.p.block("if (error) {", func() { r.p.line(`NSLog(@"%@", error);`) })
	if r.c.fail {
		r.p.block("} else if (((NSHTTPURLResponse *)response).statusCode >= 400) {", func() {
			r.p.line(`NSLog(@"%ld", (long)((NSHTTPURLResponse *)response).statusCode);`)
		})
	}
	switch r.c.destination(r.p.options) {
	case toFile:
		r.p.block("} else {", func() {
			if folder := r.c.folder(); folder != nil {
				r.p.line("[NSFileManager.defaultManager createDirectoryAtPath:", r.text(folder), " withIntermediateDirectories:YES attributes:nil error:nil];")
			}
			r.p.line("[data writeToFile:", r.text(r.c.output), " atomically:YES];")
		})
	case headersPrinted:
		r.p.block("} else {", func() { r.p.line(`NSLog(@"%@", ((NSHTTPURLResponse *)response).allHeaderFields);`) })
	case contentPrinted:
		r.p.block("} else {", func() { r.p.line("[NSFileHandle.fileHandleWithStandardOutput writeData:data];") })
	}
	r.p.line("}")
	r.p.line("dispatch_semaphore_signal(", done, ");")
	r.p.level--
	r.p.line("}];")
	r.p.level--
	r.p.line("[", task, " resume];")
	r.p.line("dispatch_semaphore_wait(", done, ", DISPATCH_TIME_FOREVER);")
}
