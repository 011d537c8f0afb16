package plan

// A Retry is what a command asks for with --retry and the options beside it.
type Retry struct {
	Count   int64   // of further tries
	Delay   float64 // seconds between two tries; 0: one second, and twice as long each time
	MaxTime float64 // seconds after which there is no further try; 0: no limit
	Refused bool    // also where the connection is refused
	Errors  bool    // also after any other error, with -f after each status of 400 and more
}

// Retry returns what the command asks for, for programs that do all of it.
func (c *Call) Retry() Retry {
	r := Retry{Count: c.Retries()}
	if r.Count == 0 {
		return r
	}
	c.take("retryDelay", "retryMaxTime", "retryConnrefused", "retryAllErrors")
	r.Delay, _ = c.Option("retryDelay").(float64)
	r.MaxTime, _ = c.Option("retryMaxTime").(float64)
	r.Errors = c.Options.On("retryAllErrors")
	r.Refused = r.Errors || c.Options.On("retryConnrefused")
	return r
}

// AnyStatus reports whether each status of 400 and more asks for another try: with -f, curl
// makes an error of it (retrycheck in curl 8.22 src/tool_operate.c).
func (c *Call) AnyStatus(r Retry) bool { return r.Errors && c.Asked.Fail && !c.withBody() }
