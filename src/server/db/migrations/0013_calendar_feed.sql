-- A link by which a practitioner's own calendar reads their sessions. One at a time; a new one ends the one before.
create table calendar_feeds (
  practitioner_id int primary key references practitioners on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null,
  -- When a calendar last read it, to the hour.
  read_at timestamptz
);
