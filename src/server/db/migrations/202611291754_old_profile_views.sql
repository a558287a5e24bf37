-- no transaction
-- Counts that the dashboard no longer shows are deleted.
create index concurrently if not exists practitioner_profile_views_day on practitioner_profile_views (day);
