-- The chat between a client and a practitioner, and what one signs in to it with.

-- Signing in to the chat ------------------------------------------------------------------------------------------------

-- Passwords for one session of the chat each, and the tokens of those sessions: SHA-256 of 256 random bits. Both go with
-- the sign-in that they came from.
create table chat_passwords (
  hash bytea primary key check (length(hash) = 32),
  login_session_id uuid not null references login_sessions on delete cascade,
  expires_at timestamptz not null
);
create index chat_passwords_login_session on chat_passwords (login_session_id);
create index chat_passwords_expiry on chat_passwords (expires_at);
create table chat_tokens (
  hash bytea primary key check (length(hash) = 32),
  login_session_id uuid not null references login_sessions on delete cascade,
  expires_at timestamptz not null
);
create index chat_tokens_login_session on chat_tokens (login_session_id);
create index chat_tokens_expiry on chat_tokens (expires_at);

-- Dialogs ---------------------------------------------------------------------------------------------------------------

create table chat_dialogs (
  id uuid primary key,
  client_id uuid not null references clients,
  practitioner_id int not null references practitioners,
  -- What it was opened for: by a client who wanted to ask, or for a session that brought the two together.
  opened_for text not null check (opened_for in ('enquiry', 'session')),
  -- The key that its messages are encrypted with, itself encrypted with one that is not in the database.
  sealed_key bytea not null check (length(sealed_key) between 60 and 200),
  -- Messages are numbered under the lock of this row, so that their order has no gap.
  last_seq int not null default 0 check (last_seq >= 0),
  -- When something was written last; when it was opened, before that.
  active_at timestamptz not null,
  created_at timestamptz not null,
  unique (client_id, practitioner_id)
);
create index chat_dialogs_practitioner on chat_dialogs (practitioner_id);
create trigger chat_dialogs_of_living before insert on chat_dialogs
  for each row execute function refuse_deleted_client();

create table chat_members (
  dialog_id uuid not null references chat_dialogs on delete cascade,
  account_id uuid not null references accounts,
  -- Up to which message they have read.
  read_seq int not null default 0 check (read_seq >= 0),
  -- They want no mail about messages that they have not read.
  mail_off boolean not null default false,
  -- They have blocked the other one: nobody can write.
  blocked_at timestamptz,
  primary key (dialog_id, account_id)
);
create index chat_members_account on chat_members (account_id);

create table chat_messages (
  dialog_id uuid not null,
  seq int not null check (seq > 0),
  -- Chosen by whoever wrote it, so that sending it again does not double it.
  id uuid not null,
  sender_id uuid not null,
  -- AES-256-GCM under the dialog's key: a nonce of 12 bytes, a tag of 16, and the text. It opens in its own place alone.
  body bytea not null check (length(body) between 29 and 16028),
  sent_at timestamptz not null,
  primary key (dialog_id, seq),
  unique (dialog_id, id),
  -- Nobody but the two can have written it.
  foreign key (dialog_id, sender_id) references chat_members on delete cascade
);
create index chat_messages_sender on chat_messages (sender_id, sent_at);

-- It looks random: compressing and sampling it would be in vain.
alter table chat_messages alter column body set storage external, alter column body set statistics 0;
alter table chat_dialogs alter column sealed_key set statistics 0;

-- Search ----------------------------------------------------------------------------------------------------------------

-- Cards name the practitioner's account in the chat.
update practitioner_cards c set card = c.card || jsonb_build_object('cc_id', p.account_id)
  from practitioners p where p.id = c.practitioner_id;
