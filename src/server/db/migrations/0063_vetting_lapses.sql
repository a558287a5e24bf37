-- The office is written to once of vetted facts that lapse while sessions are booked for later.
create table vetting_lapse_notes (
  practitioner_id int not null references practitioners on delete cascade,
  lapses_at timestamptz not null,
  noted_at timestamptz not null,
  primary key (practitioner_id, lapses_at)
);

-- A practitioner who left or died is closed for good.
alter table practitioners drop constraint practitioners_state_check,
  add constraint practitioners_state_check
    check (state in ('draft', 'submitted', 'approved', 'rejected', 'suspended', 'closed')) not valid;
alter table vetting_letters drop constraint vetting_letters_kind_check,
  add constraint vetting_letters_kind_check check (kind in ('approved', 'rejected', 'suspended', 'reinstated', 'closed',
    'fact_accepted', 'fact_refused', 'expires_soon', 'expired')) not valid;
