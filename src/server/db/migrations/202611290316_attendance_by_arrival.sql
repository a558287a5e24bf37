-- no transaction
-- Takes the place of `session_attendance_old`: each heartbeat changes `last_out`, and had to write that index.
create index concurrently if not exists session_attendance_arrived on session_attendance (first_in) where first_in is not null;
