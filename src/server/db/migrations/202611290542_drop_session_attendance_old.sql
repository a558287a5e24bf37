-- no transaction
-- Replaced by `session_attendance_arrived`; the release before this one reads by that index.
drop index concurrently if exists session_attendance_old;
