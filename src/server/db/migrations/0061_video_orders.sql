-- The course of a video order. The last step that is not undone says where the order stands; none: it is ordered.
-- `video_productions.done_at` stays the sign of one that is over, set by the approval or by the office.
create table video_production_steps (
  practitioner_id int not null references video_productions on delete cascade,
  -- 1, 2, 3 …: two steps at once cannot both be the next.
  number int not null check (number > 0),
  kind text not null check (kind in ('propose', 'take_date', 'ask_dates', 'upload', 'ask_change', 'approve')),
  at timestamptz not null,
  -- Of a proposal.
  dates timestamptz[] not null default '{}',
  -- The one that was taken.
  date timestamptz,
  -- The practitioner's own words.
  note text check (length(note) between 1 and 500),
  -- The upload that waits for approval; null once its file is deleted.
  file_id uuid references stored_files on delete set null,
  -- Only the office's steps can be undone.
  undone_at timestamptz check (undone_at is null or kind in ('propose', 'upload')),
  primary key (practitioner_id, number),
  check ((kind = 'propose') = (cardinality(dates) > 0)),
  check (cardinality(dates) <= 3),
  check ((kind = 'take_date') = (date is not null)),
  check ((kind in ('ask_dates', 'ask_change')) = (note is not null)),
  check (file_id is null or kind = 'upload')
);
create unique index video_production_steps_approved on video_production_steps (practitioner_id) where kind = 'approve';
create index video_production_steps_file on video_production_steps (file_id) where file_id is not null;

alter table subscription_mails drop constraint subscription_mails_kind_check,
  add constraint subscription_mails_kind_check check (kind in ('receipt', 'payment_failed', 'lapsed', 'cancelled', 'ended',
    'video_dates', 'video_dates_asked', 'video_date_agreed', 'video_date_agreed_office', 'video_ready', 'video_change_asked',
    'video_approved', 'video_approved_office', 'video_taken_back')) not valid;
