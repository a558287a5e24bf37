-- Looking after the chat: mails about what stays unread, and reports.

-- Whether mails are wanted is asked for an account, not for each dialog.
alter table chat_members drop column mail_off;

-- What one of the two has been mailed about. Whether a mail is due follows from the messages themselves.
create table chat_unread_mails (
  dialog_id uuid not null,
  account_id uuid not null,
  -- The last message that a mail was about, and when it went.
  mailed_seq int not null default 0 check (mailed_seq >= 0),
  mailed_at timestamptz,
  -- Somebody is sending one until then, or ended in the middle of it.
  claimed_until timestamptz,
  primary key (dialog_id, account_id),
  foreign key (dialog_id, account_id) references chat_members on delete cascade
);
create index chat_dialogs_active on chat_dialogs (active_at);

-- What one of the two told the back office about the other. Nobody there sees a message that is not attached.
create table chat_reports (
  id uuid primary key,
  dialog_id uuid not null,
  reporter_id uuid not null,
  -- Encrypted, as messages are.
  sealed_reason bytea not null check (length(sealed_reason) between 20 and 10000),
  -- The messages that were chosen to be seen, as JSON, encrypted; null without any.
  sealed_messages bytea check (length(sealed_messages) between 20 and 500000),
  messages_count int not null check (messages_count >= 0),
  state text not null default 'open' check (state in ('open', 'settled')),
  created_at timestamptz not null,
  settled_at timestamptz,
  foreign key (dialog_id, reporter_id) references chat_members on delete cascade,
  check ((sealed_messages is null) = (messages_count = 0)),
  check ((state = 'settled') = (settled_at is not null))
);
create index chat_reports_state on chat_reports (state, created_at);
create index chat_reports_dialog on chat_reports (dialog_id, reporter_id);
create unique index chat_reports_open on chat_reports (dialog_id, reporter_id) where state = 'open';
