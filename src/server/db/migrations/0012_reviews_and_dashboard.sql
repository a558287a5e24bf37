-- Reviews by clients who have had a session, what practitioners answer, reports of either; views of profiles.

-- Reviews ---------------------------------------------------------------------------------------------------------------

alter table reviews
  -- Who wrote it and about which session. Null for the reviews of the made-up directory, and once the author's account
  -- is deleted: stars stay, words and author go.
  add column client_id uuid references clients,
  add column appointment_id uuid unique references appointments,
  add column edited_at timestamptz,
  -- Set by the back office: shown to nobody but its author and the practitioner, and not counted.
  add column hidden_at timestamptz,
  add column hidden_reason text check (length(hidden_reason) <= 2000),
  add column reply text check (length(reply) between 1 and 2000),
  add column replied_at timestamptz,
  add column reply_edited_at timestamptz,
  add column reply_hidden_at timestamptz,
  add column reply_hidden_reason text check (length(reply_hidden_reason) <= 2000),
  add constraint reviews_of_a_session check ((client_id is null) = (appointment_id is null)),
  add constraint reviews_hidden check ((hidden_at is null) = (hidden_reason is null)),
  add constraint reviews_replied check ((reply is null) = (replied_at is null)
    and (reply is not null or reply_edited_at is null)),
  add constraint reviews_reply_hidden check ((reply_hidden_at is null) = (reply_hidden_reason is null)
    and (reply is not null or reply_hidden_at is null));
create index reviews_client on reviews (client_id) where client_id is not null;
create trigger reviews_of_living before insert on reviews
  for each row when (new.client_id is not null) execute function refuse_deleted_client();

create table review_reports (
  id bigint generated always as identity primary key,
  review_id bigint not null references reviews on delete cascade,
  about text not null check (about in ('review', 'reply')),
  account_id uuid not null references accounts,
  reason text not null check (length(reason) between 1 and 1000),
  state text not null check (state in ('open', 'hidden', 'dismissed')),
  created_at timestamptz not null,
  decided_at timestamptz,
  check ((state = 'open') = (decided_at is null))
);
-- However often somebody reports the same thing, it is looked at once.
create unique index review_reports_open on review_reports (review_id, about, account_id) where state = 'open';
create index review_reports_review on review_reports (review_id);
create index review_reports_account on review_reports (account_id);
create index review_reports_queue on review_reports (state, created_at);
create trigger review_reports_of_living before insert on review_reports
  for each row execute function refuse_deleted_account();

-- What people wrote is sampled by no statistics.
alter table reviews alter column comment set statistics 0, alter column reply set statistics 0;
alter table review_reports alter column reason set statistics 0;

-- Dashboard -------------------------------------------------------------------------------------------------------------

-- How often a profile was opened on a day in Europe/London. Nothing is kept of who opened it.
create table practitioner_profile_views (
  practitioner_id int not null references practitioners on delete cascade,
  day date not null,
  views int not null check (views > 0),
  primary key (practitioner_id, day)
);
