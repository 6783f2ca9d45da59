package gateway

// Attached counts what this node, as an edge, has attached to others.
func (g *Gateway) Attached() int {
	g.away.mu.RLock()
	defer g.away.mu.RUnlock()
	return len(g.away.attached)
}
