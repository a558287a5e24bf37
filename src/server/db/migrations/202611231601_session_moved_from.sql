-- The start of a session before its last move to another time, for its page. Null if it was never moved.
alter table appointments add column moved_from timestamptz;
