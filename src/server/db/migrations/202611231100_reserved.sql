-- A session of a weekly series is reserved first: its time is booked and nothing is paid. The money is taken two days before
-- it starts. A release that knows this state runs before one that writes it: see `weekly-series` in `installation` below.
alter table appointments
  -- Its foreign key comes with the table of series.
  add column series_id uuid,
  -- When the money is taken, and until when the session is kept without it.
  add column pay_at timestamptz,
  add column pay_by timestamptz,
  -- The next attempt to take it without the client; null if the client has to pay on the page.
  add column charge_at timestamptz,
  -- The card of the agreement; null if there is none to charge.
  add column payment_method_id uuid references payment_methods on delete set null,
  add column pay_failures int not null default 0,
  drop constraint appointments_state_check,
  add constraint appointments_state_check check (state in
    ('draft', 'pending', 'reserved', 'confirmed', 'completed', 'cancelled', 'no_show', 'expired')) not valid,
  drop constraint appointments_cancel_code_check,
  add constraint appointments_cancel_code_check check (cancel_code in ('practitioner_suspended', 'vetting_lapsed', 'office',
    'unpaid', 'series_ended', 'practitioner_absent', 'technical_failure', 'absence', 'closed')) not valid,
  drop constraint appointments_cancel_code_system,
  add constraint appointments_cancel_code_cancelled check (cancel_code is null or state = 'cancelled') not valid,
  drop constraint appointments_freeze_booked,
  add constraint appointments_freeze_booked check (
    frozen_at is null or state in ('reserved', 'confirmed', 'completed', 'no_show', 'cancelled')) not valid,
  add constraint appointments_reserved_whole check (state <> 'reserved' or (reservation_id is not null
    and starts_at is not null and appointment_type is not null and first_booked_at is not null
    and pay_at is not null and pay_by is not null and pay_by <= starts_at)) not valid,
  add constraint appointments_pay_order check (
    (pay_at is null) = (pay_by is null) and pay_at <= pay_by and pay_failures >= 0) not valid;

-- Whether the client was there, so that their bank could ask them.
alter table payment_intents add column on_session boolean not null default true;

-- What an account has agreed to, and when. A withdrawal is a row of its own.
create table consents (
  id uuid primary key,
  account_id uuid not null references accounts,
  -- What is agreed to, such as `series`.
  scope text not null check (length(scope) between 1 and 64),
  -- The object that it is about.
  subject text not null check (length(subject) between 1 and 128),
  -- Names the text that was shown.
  text_version text not null check (length(text_version) between 1 and 128),
  given_at timestamptz,
  withdrawn_at timestamptz,
  check ((given_at is null) <> (withdrawn_at is null))
);
create index consents_account on consents (account_id, scope, subject);
-- Rows are deleted with their account, and never changed.
create function forbid_update() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger consents_never_changed before update on consents
  for each statement execute function forbid_update();

-- The copy of the mails for the release before.
alter table session_mails drop constraint session_mails_kind_check,
  add constraint session_mails_kind_check check (kind in ('booked', 'moved', 'cancelled', 'refunded', 'day_before',
    'hour_before', 'frozen', 'restored', 'no_show', 'no_show_withdrawn', 'no_show_disputed', 'no_show_upheld', 'no_show_overturned',
    'charge_ahead', 'payment_failed', 'unpaid')) not valid;

-- On where no release before this one has run. For others the operator turns it on once every instance runs this release.
insert into installation (key, value)
  select 'weekly-series', case when exists (select from installation) then 'off' else 'on' end;
