-- no transaction
alter table appointments validate constraint appointments_series_fkey;
-- For the sessions of a series that is deleted, cancelled ones too.
create index concurrently if not exists appointments_series on appointments (series_id) where series_id is not null;
