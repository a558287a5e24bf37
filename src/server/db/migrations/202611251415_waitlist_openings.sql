-- What could begin at each start of a snapshot: a list of [start, longest session online, face to face], in minutes. The
-- release before goes on writing `starts` alone; a list of other starts than those counts as none.
alter table waitlist_snapshots add column openings jsonb;
