-- Who carries a request out, and when that process was last known to be at it, by the database's own clock. Rows of the
-- release before have neither.
alter table idempotency_keys add column claim uuid;
alter table idempotency_keys add column renewed_at timestamptz;
