-- What a request begun before the account was deleted must not insert after it, for the tables that had no trigger yet.
create trigger consents_of_living before insert on consents
  for each row execute function refuse_deleted_account();
create trigger session_room_seats_of_living before insert on session_room_seats
  for each row execute function refuse_deleted_account();
create trigger session_series_of_living before insert on session_series
  for each row execute function refuse_deleted_client();
create trigger client_calendar_feeds_of_living before insert on client_calendar_feeds
  for each row execute function refuse_deleted_client();
