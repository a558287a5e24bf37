-- Scripts and styles of each release by the names that their content gives them: a page of another release that is open
-- asks for them while instances are replaced, and afterwards.
create table release_files (
  name text primary key check (name ~ '^[A-Za-z0-9_.-]{1,200}$'),
  -- Packed by Brotli, and sealed: what was written by other hands is not sent to browsers.
  sealed_body bytea not null,
  -- When a release without it was started; null for the files of the one that was started last.
  left_at timestamptz
);
