-- A practitioner who did not come to two sessions within 30 days is a task of the back office.
create table absence_tasks (
  id bigint generated always as identity primary key,
  practitioner_id int not null references practitioners on delete cascade,
  -- The absence that made the task.
  appointment_id uuid not null references appointments on delete cascade,
  noted_at timestamptz not null,
  resolved_at timestamptz
);
create unique index absence_tasks_open on absence_tasks (practitioner_id) where resolved_at is null;
create index absence_tasks_appointment on absence_tasks (appointment_id);
create index absence_tasks_practitioner on absence_tasks (practitioner_id);
