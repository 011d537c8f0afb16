package mcp

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// longestDrain is how long the end of the input waits for answers. An agent may
// have cancelled a request, which then has none.
const longestDrain = 5 * time.Second

// A draining transport lets the end of the input wait until all requests have
// been answered, so that uncoil mcp works in a pipe too.
type draining struct{ sdk.Transport }

func (t draining) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &drained{Connection: c, changed: make(chan struct{}, 1)}, nil
}

// A drained connection counts the requests without an answer.
type drained struct {
	sdk.Connection
	mu      sync.Mutex
	pending int
	changed chan struct{} // receives when pending falls
}

func (c *drained) add(n int) {
	c.mu.Lock()
	c.pending += n
	c.mu.Unlock()
	if n < 0 {
		select {
		case c.changed <- struct{}{}:
		default:
		}
	}
}

func (c *drained) idle() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pending <= 0
}

func (c *drained) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Request); ok && r.ID.IsValid() {
		c.add(1)
	}
	if errors.Is(err, io.EOF) {
		longest := time.NewTimer(longestDrain)
		defer longest.Stop()
		for !c.idle() {
			select {
			case <-c.changed:
			case <-longest.C:
				return m, err
			case <-ctx.Done():
				return m, err
			}
		}
	}
	return m, err
}

func (c *drained) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if _, ok := m.(*jsonrpc.Response); ok {
		c.add(-1)
	}
	return err
}
