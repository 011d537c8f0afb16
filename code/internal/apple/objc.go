package apple

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/mime"
	"uncoil/request"
)

// What NSURLSession does by itself, as Apple documents it: it adds Accept,
// Accept-Encoding, Accept-Language, User-Agent and Connection, and to content
// without a type that of a form; joins fields of one name by a comma; sends no
// content with GET; follows redirects unless a delegate says not to. GNUstep
// has no such class that a compiler here could use, so nothing is measured.
var ObjectiveC = plan.Target{
	Name: "objc", Convention: plan.Format("objc"), Client: "NSURLSession", Version: "macOS 11", Kind: plan.Code, Extension: "m", Tried: plan.Parsed,
	Why:     "Tree-sitter's grammar of Objective-C reads them; they run on systems of Apple only",
	Aliases: []string{"objective-c", "objc-nsurlsession", "nsurlsession"},
	Style:   emit.Style{Indent: "    ", Comma: ",", Comment: "// ", Wraps: "="}, Write: writeObjC,
	Facts: plan.Client{
		Http2:    true,
		Adds:     plan.FieldNames{"Accept", "Accept-Encoding", "Accept-Language", "User-Agent", "Connection"},
		Always:   plan.FieldNames{"Accept", "User-Agent"},
		Fixed:    plan.FieldNames{"Content-Length", "Connection"},
		Rules:    plan.Rules{plan.SendsCodings(plan.NoCoding), plan.CodesContentOnly, plan.SendsNoContent("GET", "HEAD")},
		Counts:   plan.Enclosing,
		Versions: []string{"2"},
	},
}

func writeObjC(p *plan.Program) {
	delegate := slices.ContainsFunc(p.Calls, func(c *plan.Call) bool { return c.Stops() || c.Insecure() })
	sections := p.Sections(p.Depth(2), func(c *plan.Call, suffix string) {
		r := objcRequest{p: p, c: c, suffix: suffix}
		r.write()
	})
	p.Head(func() {
		p.Line("#import <Foundation/Foundation.h>")
		p.Line()
		if delegate {
			objcDelegate(p)
		}
		for _, h := range p.Helpers {
			p.Dst = append(p.Dst, h...)
			p.Line()
		}
	})
	if p.Options.Bare {
		p.Join(sections)
		return
	}
	p.Block("int main(void) {", func() {
		p.Block("@autoreleasepool {", func() { p.Join(sections) })
		p.Line("}")
		p.Line("return 0;")
	})
	p.Line("}")
}

// objcDelegate writes the classes that keep a session from what curl does not
// do unasked.
func objcDelegate(p *plan.Program) {
	p.Line("@interface Delegate : NSObject <NSURLSessionTaskDelegate>")
	p.Line("@end")
	p.Line()
	p.Line("@implementation Delegate")
	if slices.ContainsFunc(p.Calls, func(c *plan.Call) bool { return c.Stops() }) {
		p.Line("- (void)URLSession:(NSURLSession *)session")
		p.Line("                          task:(NSURLSessionTask *)task")
		p.Line("    willPerformHTTPRedirection:(NSHTTPURLResponse *)response")
		p.Line("                    newRequest:(NSURLRequest *)request")
		p.Line("             completionHandler:(void (^)(NSURLRequest *))completionHandler {")
		p.Line("    completionHandler(nil); // curl had no -L")
		p.Line("}")
	}
	if slices.ContainsFunc(p.Calls, func(c *plan.Call) bool { return c.Insecure() }) {
		p.Line("- (void)URLSession:(NSURLSession *)session")
		p.Line("    didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge")
		p.Line("      completionHandler:(void (^)(NSURLSessionAuthChallengeDisposition, NSURLCredential *))completionHandler {")
		p.Line("    SecTrustRef trust = challenge.protectionSpace.serverTrust;")
		p.Line("    completionHandler(NSURLSessionAuthChallengeUseCredential, trust ? [NSURLCredential credentialForTrust:trust] : nil);")
		p.Line("}")
	}
	p.Line("@end")
	p.Line()
}

// An objcRequest writes one call with NSURLSession.
type objcRequest struct {
	p      *plan.Program
	c      *plan.Call
	suffix string
}

func objcString(s string) string { return "@" + emit.CString(s) }

// text returns an expression of type NSString *.
func (r *objcRequest) text(t plan.Text) string {
	if !t.IsText() {
		r.p.Refuse("sends only UTF-8 there")
	}
	if s, ok := t.Plain(); ok {
		return objcString(s)
	}
	if len(t) == 1 {
		return r.variable(t[0].Variable)
	}
	format, arguments := t.Format("%@", emit.DoublePercent, r.variable)
	return "[NSString stringWithFormat:" + objcString(format) + arguments + "]"
}

func (r *objcRequest) variable(v *request.Variable) string {
	expr := "NSProcessInfo.processInfo.environment[" + objcString(v.Name) + "]"
	if v.HasDefault {
		expr = "(" + expr + " ?: " + objcString(v.Default) + ")"
	}
	switch v.Encoding {
	case plan.UserPart:
		expr = "[" + expr + ` componentsSeparatedByString:@":"].firstObject`
	case plan.PasswordPart:
		expr = "[" + expr + " substringFromIndex:[" + expr + ` rangeOfString:@":"].location + 1]`
	case plan.LastSegment:
		expr += ".lastPathComponent"
	case request.EncodingJSON:
		r.p.Refuse("escapes no variable for JSON")
	case request.EncodingPercent, request.EncodingForm:
		r.p.Help(objcEncode)
		expr = "PercentEncode(" + expr + ")"
		if v.Encoding == request.EncodingForm {
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
	if strings.ContainsAny(r.c.URLText.Literals(), "\"<>[]\\^`{|} ") || !r.c.URLText.IsASCII() {
		r.p.Refuse("reads no URL with such characters")
	}
	url := r.text(r.c.URLText)
	if r.c.Guess {
		r.p.Line("NSString *address", r.suffix, " = ", url, ";")
		url = "address" + r.suffix
		r.p.Block("if (!["+url+` containsString:@"://"]) {`, func() {
			r.p.Line(url, ` = [@"http://" stringByAppendingString:`, url, "]; // as curl does")
		})
		r.p.Line("}")
	}
	if !r.c.Guess {
		address := "url" + r.suffix
		r.p.Folded("NSURL *"+address+" =", "[NSURL URLWithString:"+url+"];")
		url = address
	} else {
		url = "[NSURL URLWithString:" + url + "]"
	}
	r.p.Folded("NSMutableURLRequest *"+request+" =", "[NSMutableURLRequest requestWithURL:"+url+"];")
	if r.c.Method != "GET" {
		r.p.Line(request, ".HTTPMethod = ", objcString(r.c.Method), ";")
	}
	seen := make(map[string]bool, len(r.c.Headers()))
	for _, f := range r.c.Headers() {
		lower := strings.ToLower(f.Name)
		verb := "setValue"
		if seen[lower] {
			verb = "addValue"
		}
		seen[lower] = true
		value := ""
		if f.Derived() && f.Is("Authorization") {
			both := r.c.Basic.Joined()
			r.p.Line("NSData *credentials", r.suffix, " = [", r.text(both), " dataUsingEncoding:NSUTF8StringEncoding];")
			value = `[@"Basic " stringByAppendingString:[credentials` + r.suffix + " base64EncodedStringWithOptions:0]]"
		} else {
			value = r.text(f.Value)
		}
		r.p.Folded("["+request+" "+verb+":"+value, "forHTTPHeaderField:"+objcString(f.Name)+"];")
	}
	r.content(request)
	r.p.Line()
	r.send(request)
}

// content writes the statements that set the content.
func (r *objcRequest) content(request string) {
	if r.c.Content.Kind != plan.NoBody && r.c.Content.Kind != plan.MultipartBody && r.c.Field("Content-Type") == nil {
		r.p.Refuse("gives content the type of a form")
	}
	switch r.c.Content.Kind {
	case plan.RawBody:
		if data, ok := r.c.Content.Data.Plain(); ok && !r.c.Content.Data.IsText() {
			r.p.Line(request, ".HTTPBody = [NSData dataWithBytes:", emit.CString(data), " length:", emit.Itoa(len(data)), "];")
			return
		}
		r.p.Line(request, ".HTTPBody = [", r.text(r.c.Content.Data), " dataUsingEncoding:NSUTF8StringEncoding];")
	case plan.MultipartBody:
		pieces, boundary := r.c.MultipartPieces()
		r.p.Line("[", request, " setValue:", objcString(mime.FormData+"; boundary="+boundary), ` forHTTPHeaderField:@"Content-Type"];`)
		r.pieces(request, pieces)
	case plan.FileBody, plan.PieceBody:
		pieces := r.c.Content.List
		if r.c.Content.Kind == plan.FileBody && r.c.Content.File.Source() != "-" {
			r.p.Line(request, ".HTTPBody = [NSData dataWithContentsOfFile:", r.text(r.c.Content.File), "];")
			return
		}
		r.pieces(request, pieces)
	}
}

// pieces writes the statements that join texts and files.
func (r *objcRequest) pieces(request string, pieces []plan.Piece) {
	body := "body" + r.suffix
	r.p.Line("NSMutableData *", body, " = [NSMutableData data];")
	add := func(s string) { r.p.Line("[", body, " appendData:", s, "];") }
	for _, one := range pieces {
		if one.IsText {
			add("[" + r.text(one.Text) + " dataUsingEncoding:NSUTF8StringEncoding]")
			continue
		}
		if len(one.Name) > 0 {
			add("[" + r.text(one.Prefix()) + " dataUsingEncoding:NSUTF8StringEncoding]")
		}
		data := "[NSFileHandle.fileHandleWithStandardInput readDataToEndOfFile]"
		if one.File.Source() != "-" {
			data = "[NSData dataWithContentsOfFile:" + r.text(one.File) + "]"
		}
		if one.Offset > 0 {
			r.p.Line("NSData *file", r.suffix, " = ", data, ";")
			data = "file" + r.suffix
			data = "[" + data + " subdataWithRange:NSMakeRange(" + emit.Itoa(int(one.Offset)) + ", " + data + ".length - " + emit.Itoa(int(one.Offset)) + ")]"
		}
		if one.Strip {
			r.p.Help(objcStrip)
			data = "WithoutLineBreaks(" + data + ")"
		}
		if one.Urlencode {
			r.p.Help(objcEncode)
			data = "[[PercentEncode([[NSString alloc] initWithData:" + data + " encoding:NSUTF8StringEncoding])"
			data += ` stringByReplacingOccurrencesOfString:@"%20" withString:@"+"] dataUsingEncoding:NSUTF8StringEncoding]`
		}
		add(data)
	}
	r.p.Line(request, ".HTTPBody = ", body, ";")
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
		r.p.Line(before, part[0], ":", part[1], end)
	}
}

// send writes the statements that send the request and wait for the response.
func (r *objcRequest) send(request string) {
	configuration, session, task, done := "configuration"+r.suffix, "session"+r.suffix, "task"+r.suffix, "done"+r.suffix
	r.p.Folded("NSURLSessionConfiguration *"+configuration+" =", "NSURLSessionConfiguration.ephemeralSessionConfiguration;")
	if !r.c.KeepsCookies() || r.c.Field("Cookie") != nil {
		r.p.Line(configuration, ".HTTPShouldSetCookies = NO;")
	}
	if r.c.ConnectTimeout() > 0 {
		r.p.Line(configuration, ".timeoutIntervalForRequest = ", emit.Seconds(r.c.ConnectTimeout()), ";")
	}
	if r.c.Timeout() > 0 {
		r.p.Line(configuration, ".timeoutIntervalForResource = ", emit.Seconds(r.c.Timeout()), ";")
	}
	delegate := "nil"
	if r.c.Stops() || r.c.Insecure() {
		delegate = "[Delegate new]"
	}
	r.message("NSURLSession *"+session+" = [NSURLSession ",
		[]string{"sessionWithConfiguration", configuration}, []string{"delegate", delegate}, []string{"delegateQueue", "nil"})
	r.p.Line("dispatch_semaphore_t ", done, " = dispatch_semaphore_create(0);")
	r.p.Line("NSURLSessionDataTask *", task, " =")
	r.p.Level++
	r.p.Line("[", session, " dataTaskWithRequest:", request)
	r.p.Line(strings.Repeat(" ", len(session)), "   completionHandler:^(NSData *data, NSURLResponse *response, NSError *error) {")
	r.p.Level++
	r.p.Block("if (error) {", func() { r.p.Line(`NSLog(@"%@", error);`) })
	if r.c.Fail() {
		r.p.Block("} else if (((NSHTTPURLResponse *)response).statusCode >= 400) {", func() {
			r.p.Line(`NSLog(@"%ld", (long)((NSHTTPURLResponse *)response).statusCode);`)
		})
	}
	switch r.c.Destination(r.p.Options) {
	case plan.ToFile:
		r.p.Block("} else {", func() {
			if folder := r.c.Folder(); folder != nil {
				r.p.Line("[NSFileManager.defaultManager createDirectoryAtPath:", r.text(folder), " withIntermediateDirectories:YES attributes:nil error:nil];")
			}
			r.p.Line("[data writeToFile:", r.text(r.c.Output()), " atomically:YES];")
		})
	case plan.HeadersPrinted:
		r.p.Block("} else {", func() { r.p.Line(`NSLog(@"%@", ((NSHTTPURLResponse *)response).allHeaderFields);`) })
	case plan.ContentPrinted:
		r.p.Block("} else {", func() { r.p.Line("[NSFileHandle.fileHandleWithStandardOutput writeData:data];") })
	}
	r.p.Line("}")
	r.p.Line("dispatch_semaphore_signal(", done, ");")
	r.p.Level--
	r.p.Line("}];")
	r.p.Level--
	r.p.Line("[", task, " resume];")
	r.p.Line("dispatch_semaphore_wait(", done, ", DISPATCH_TIME_FOREVER);")
}
