package cluster

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"
)

// clusterClient is a client of a cluster that asks again who serves which slots when a server is not heard. By itself the
// library learns of a failover from a server that sends it elsewhere, which a dead one does not, and else once a minute.
func clusterClient(o *redis.ClusterOptions) *redis.ClusterClient {
	c := redis.NewClusterClient(o)
	c.AddHook(listening{c})
	return c
}

// unheard asks a cluster who serves which slots if the error is none that a server has sent. It does not wait for that.
func unheard(ctx context.Context, client redis.UniversalClient, err error) {
	if c, ok := client.(*redis.ClusterClient); ok && err != nil && !isAnswer(err) {
		c.ReloadState(ctx)
	}
}

// isAnswer tells an error that Redis has sent from a failure to hear of it.
func isAnswer(err error) bool {
	var answer redis.Error
	return errors.As(err, &answer)
}

// listening looks at the errors of all commands but those of subscriptions and of pipelines to one server.
type listening struct{ client *redis.ClusterClient }

func (l listening) DialHook(next redis.DialHook) redis.DialHook { return next }

func (l listening) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		unheard(ctx, l.client, err)
		return err
	}
}

func (l listening) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		unheard(ctx, l.client, err)
		return err
	}
}
