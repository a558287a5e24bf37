-- What is done on the server itself, such as by the command that resets an admin, has no account behind it: a word says
-- who acted.
alter table audit_log alter column actor_id drop not null;
alter table audit_log add column actor_name text;
alter table audit_log add constraint audit_log_actor_known check ((actor_id is null) = (actor_name is not null));
