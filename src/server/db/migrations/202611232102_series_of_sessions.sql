-- A session may outlive its series, whose client has deleted the account.
update appointments a set series_id = null
  where a.series_id is not null and not exists (select from session_series s where s.id = a.series_id);
alter table appointments add constraint appointments_series_fkey foreign key (series_id) references session_series
  on delete set null not valid;
