-- The key that a code's digest was made with: a digest cannot be made anew with another. Null in rows of the release before.
alter table recovery_codes add column key_id text;
