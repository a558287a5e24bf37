-- Whom a client keeps in mind, on every device of theirs. Practitioners are not told of it.
create table shortlisted_practitioners (
  client_id uuid not null references clients,
  practitioner_id int not null references practitioners on delete cascade,
  created_at timestamptz not null,
  primary key (client_id, practitioner_id)
);
create index shortlisted_practitioners_practitioner on shortlisted_practitioners (practitioner_id);
create trigger shortlisted_practitioners_of_living before insert on shortlisted_practitioners
  for each row execute function refuse_deleted_client();
