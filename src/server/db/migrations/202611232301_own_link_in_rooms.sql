-- When the practitioner offered their own link as another way on, inside the room of a session.
alter table session_rooms add column own_link_at timestamptz;
