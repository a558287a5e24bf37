-- An account in its owner's hands: changed, listed, taken along and deleted.

-- Limits --------------------------------------------------------------------------------------------------------------

-- Subjects are stored as digests from here on, so that the table names nobody; what was counted by name is forgotten.
delete from rate_limits;
-- How many of the hits may still be given back: attempts whose outcome is not known yet.
alter table rate_limits add column under_way int not null default 0,
  add constraint rate_limits_under_way check (under_way between 0 and hits);

-- Accounts ------------------------------------------------------------------------------------------------------------

-- A deleted account leaves a row without a person, for the records that have to name it.
alter table accounts alter column email drop not null,
  add column deleted_at timestamptz,
  add constraint accounts_deleted check ((email is null) = (deleted_at is not null)),
  add constraint accounts_erased check (deleted_at is null
    or (password_hash is null and email_verified_at is null and first_name = '' and last_name = ''));
create index accounts_deleted_at on accounts (deleted_at) where deleted_at is not null;
alter table clients alter column referral_code drop not null,
  add constraint clients_erased check (referral_code is not null or referred_by is null);
create index clients_referred_by on clients (referred_by) where referred_by is not null;

-- When a sign-in was last renewed, and what it was begun on, such as 'Firefox on Windows'; null where that is not known.
alter table login_sessions add column device text, add column last_used_at timestamptz;
update login_sessions set last_used_at = created_at;
alter table login_sessions alter column last_used_at set not null;

-- The link that makes another address the account's.
alter table mail_tokens drop constraint mail_tokens_purpose_check,
  add constraint mail_tokens_purpose_check check (purpose in ('password_reset', 'verify_email', 'change_email')),
  add column new_email citext check (length(new_email::text) <= 254),
  add constraint mail_tokens_new_email check ((purpose = 'change_email') = (new_email is not null));

-- Mails to an address that is not, or no longer, the account's. A job names the row, so that no address is in the
-- queue; the row goes when the mail has gone.
create table account_letters (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('change_email', 'change_asked', 'email_changed', 'account_deleted')),
  email citext not null check (length(email::text) <= 254),
  first_name text not null check (length(first_name) <= 100),
  created_at timestamptz not null
);
create index account_letters_account on account_letters (account_id);

-- Deleted accounts ----------------------------------------------------------------------------------------------------

-- What a request began before the account was deleted must not be written after it: the row is locked, as a foreign key
-- would, and looked at. HE001 is this product's own code.
create function refuse_deleted_account() returns trigger language plpgsql as $$
begin
  perform from accounts where id = new.account_id and deleted_at is null for key share;
  if not found then raise exception 'the account is deleted' using errcode = 'HE001'; end if;
  return new;
end $$;
create function refuse_deleted_client() returns trigger language plpgsql as $$
begin
  perform from accounts where id = new.client_id and deleted_at is null for key share;
  if not found then raise exception 'the account is deleted' using errcode = 'HE001'; end if;
  return new;
end $$;
create trigger login_sessions_of_living before insert on login_sessions
  for each row execute function refuse_deleted_account();
create trigger mail_tokens_of_living before insert on mail_tokens
  for each row execute function refuse_deleted_account();
create trigger idempotency_keys_of_living before insert on idempotency_keys
  for each row execute function refuse_deleted_account();
create trigger payment_methods_of_living before insert on payment_methods
  for each row execute function refuse_deleted_account();
create trigger appointments_of_living before insert on appointments
  for each row execute function refuse_deleted_client();

-- Of a card that has paid, brand and last digits stay with the payment; the rest goes with the account.
alter table payment_methods alter column gateway_ref drop not null, alter column fingerprint drop not null,
  alter column expiry_month drop not null, alter column expiry_year drop not null,
  add constraint payment_methods_usable check (removed_at is not null or
    (gateway_ref is not null and fingerprint is not null and expiry_month is not null and expiry_year is not null));

-- Statistics are samples of what is stored: none are kept of what people wrote, which is looked up by unique indexes alone.
alter table accounts alter column email set statistics 0, alter column first_name set statistics 0,
  alter column last_name set statistics 0, alter column password_hash set statistics 0;
alter table mail_tokens alter column new_email set statistics 0;
alter table account_letters alter column email set statistics 0, alter column first_name set statistics 0;
alter table appointments alter column cancel_reason set statistics 0;
alter table idempotency_keys alter column key set statistics 0, alter column answer set statistics 0;
