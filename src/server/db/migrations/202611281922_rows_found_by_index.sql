-- no transaction
-- Frozen sessions are reserved ones too. Takes the place of `appointments_frozen`, which the next release drops.
create index concurrently if not exists appointments_frozen_until on appointments (frozen_until)
  where state in ('reserved', 'confirmed') and frozen_at is not null;
-- For an account that is exported or deleted. Takes the place of `login_sessions_account`, which the next release drops.
create index concurrently if not exists login_sessions_of_account on login_sessions (account_id);
create index concurrently if not exists reservations_client on reservations (client_id);
create index concurrently if not exists waitlist_entries_client on waitlist_entries (client_id);
create index concurrently if not exists waitlist_entries_swaps on waitlist_entries (swaps_appointment_id)
  where swaps_appointment_id is not null;
-- For a file that is removed.
create index concurrently if not exists practitioners_video_file on practitioners (video_file_id)
  where video_file_id is not null;
create index concurrently if not exists practitioners_captions_file on practitioners (video_captions_file_id)
  where video_captions_file_id is not null;
create index concurrently if not exists file_links_file on file_links (file_id);
-- Mails are kept for a year, some kinds for days.
create index concurrently if not exists outgoing_mails_template on outgoing_mails (template, created_at);
-- Takes the place of `platform_charges_compared`, which the next release drops.
create index concurrently if not exists platform_charges_to_compare on platform_charges (compared_at nulls first, id)
  where state in ('requires_action', 'authorised', 'capturing', 'captured', 'voiding') or captured_elsewhere_at is not null;
