-- The address that a link to confirm it was mailed to: the link is worth nothing once the account has another one. Null
-- in links that an older release mailed; those are deleted whenever the address changes.
alter table mail_tokens add column email citext check (length(email::text) <= 254),
  add constraint mail_tokens_email check (email is null or purpose = 'verify_email');
alter table mail_tokens alter column email set statistics 0;
