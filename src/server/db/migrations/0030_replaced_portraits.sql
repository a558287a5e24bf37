-- Portraits that another took the place of: pages and mails that are out there show them for a while, and a job then
-- removes their files. What was replaced before this table is not known, and stays.
create table practitioner_replaced_portraits (
  image_key text primary key check (length(image_key) between 1 and 64),
  practitioner_id int not null references practitioners on delete cascade,
  replaced_at timestamptz not null
);
create index practitioner_replaced_portraits_due on practitioner_replaced_portraits (replaced_at);
create index practitioner_replaced_portraits_practitioner on practitioner_replaced_portraits (practitioner_id);
