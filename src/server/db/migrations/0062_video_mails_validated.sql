-- no transaction
-- Rows that were there before are checked while others go on writing.
alter table subscription_mails validate constraint subscription_mails_kind_check;
