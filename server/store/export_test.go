package store

// SetBatch says how many games one transaction of a re-rating looks at.
func (s *Store) SetBatch(n int) { s.batch = n }
