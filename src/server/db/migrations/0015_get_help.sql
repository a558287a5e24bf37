-- 'Get help right now': the search for somebody who accepts, step by step, so that a restart at any point goes on.

create table help_dispatches (
  appointment_id uuid primary key references appointments on delete cascade,
  client_id uuid not null references clients,
  state text not null check (state in ('claimed', 'asking', 'accepted', 'nobody', 'stopped', 'expired')),
  -- The system goes on by itself then: unpaid until then while claimed, unanswered until then while asking.
  deadline timestamptz,
  deadline_extended boolean not null default false,
  paid_at timestamptz,
  -- Nobody new is asked after this.
  ask_until timestamptz,
  dialog_id text,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state in ('claimed', 'asking')) = (deadline is not null)),
  check ((state in ('claimed', 'asking')) = (ended_at is null)),
  check (state not in ('asking', 'accepted', 'nobody') or (paid_at is not null and ask_until is not null)),
  check (state not in ('claimed', 'expired') or paid_at is null)
);
create unique index help_dispatches_live on help_dispatches (client_id) where state in ('claimed', 'asking');
create index help_dispatches_due on help_dispatches (deadline) where deadline is not null;
create index help_dispatches_client on help_dispatches (client_id, created_at);

-- Who was asked, each once in a search.
create table help_offers (
  id uuid primary key,
  appointment_id uuid not null references help_dispatches on delete cascade,
  practitioner_id int not null references practitioners,
  state text not null check (state in ('open', 'accepted', 'declined', 'lapsed', 'withdrawn')),
  asked_at timestamptz not null,
  answer_by timestamptz not null check (answer_by > asked_at),
  settled_at timestamptz,
  unique (appointment_id, practitioner_id),
  check ((state = 'open') = (settled_at is null))
);
create unique index help_offers_one_open on help_offers (appointment_id) where state = 'open';
create unique index help_offers_one_accepted on help_offers (appointment_id) where state = 'accepted';
create unique index help_offers_one_at_a_time on help_offers (practitioner_id) where state = 'open';
-- Whose turn it is: longest not asked first.
create index help_offers_turns on help_offers (practitioner_id, asked_at desc);

-- Mails about the search: a row for each that is due, written with the change that it tells of.
create table help_mails (
  id uuid primary key,
  appointment_id uuid not null references help_dispatches on delete cascade,
  kind text not null check (kind in ('asked', 'accepted', 'nobody', 'returned')),
  -- Of a mail to a practitioner.
  offer_id uuid references help_offers on delete cascade,
  created_at timestamptz not null,
  -- Somebody is sending it until then, or ended in the middle of it.
  claimed_until timestamptz,
  outcome text check (outcome in ('sent', 'dropped', 'refused')),
  settled_at timestamptz,
  unique nulls not distinct (appointment_id, kind, offer_id),
  check ((kind = 'asked') = (offer_id is not null)),
  check ((outcome is null) = (settled_at is null))
);

create index practitioners_available_now on practitioners (available_now_until) where available_now_until is not null;
create index practitioner_issues_issue on practitioner_issues (issue_id, practitioner_id);

-- Since when money is on its way back: what stays on its way for long is shown to the back office.
alter table payment_intents add column releasing_since timestamptz;
create index payment_intents_releasing on payment_intents (releasing_since) where state = 'voiding';
