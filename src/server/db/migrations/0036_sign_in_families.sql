-- The sign-ins of the tabs of one browser belong together: each is handed over from another, and all end with any of
-- them. Holds the first one's id; null for the first itself. The first may be forgotten before the others, so that this
-- is no foreign key.
alter table login_sessions add column family_id uuid check (family_id <> id);
