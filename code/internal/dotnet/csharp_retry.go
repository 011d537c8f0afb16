package dotnet

import (
	"strconv"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// again writes the exchange again and again while the status asks for another try, as
// curl does: curl 8.22 src/tool_operate.c.
func (r *csharpRequest) again(method, streamed string) {
	uri, response, retry := r.uri(), r.name("response"), r.c.Retry()
	last, wait := "attempt == "+strconv.FormatInt(retry.Count, 10), "1 << attempt"
	if retry.MaxTime > 0 {
		r.p.Line("var ", r.name("deadline"), " = DateTime.UtcNow.AddSeconds(", emit.Seconds(retry.MaxTime), ");")
		last += " || DateTime.UtcNow > " + r.name("deadline")
	}
	if retry.Delay > 0 {
		wait = emit.Seconds(retry.Delay)
	}
	try := func() {
		r.exchange(false, method, uri, streamed)
		if r.c.AnyStatus(retry) {
			r.p.Line("if ((int)", response, ".StatusCode < 400 || ", last, ")")
		} else {
			r.p.Use("System.Linq")
			r.p.Line("var transient = new[] { ", plan.RetryStatuses, " }.Contains((int)", response, ".StatusCode);")
			r.p.Line("if (!transient || ", last, ")")
		}
		r.block(func() { r.p.Line("break;") })
	}
	r.p.Line("HttpResponseMessage ", response, ";")
	r.p.Line("for (var attempt = 0; ; attempt++)")
	r.block(func() {
		if retry.Refused {
			r.p.Line("try")
			r.block(try)
			r.caught(retry, last)
		} else {
			try()
		}
		r.p.Line("await Task.Delay(TimeSpan.FromSeconds(", wait, "));")
	})
}

// caught writes what catches the errors after which the loop goes on.
func (r *csharpRequest) caught(retry plan.Retry, last string) {
	if isOld(r.p) && !retry.Errors { // the kind of error is of .NET 8
		r.p.Differs("tries again after every error of the connection")
	}
	if retry.Errors || isOld(r.p) {
		r.p.Line("catch (HttpRequestException)")
	} else {
		r.p.Line("catch (HttpRequestException e) when (e.HttpRequestError == HttpRequestError.ConnectionError)")
	}
	r.block(func() {
		r.p.Line("if (", last, ")")
		r.block(func() { r.p.Line("throw;") })
	})
}
