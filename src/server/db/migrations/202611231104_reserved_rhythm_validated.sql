-- no transaction
alter table session_mails validate constraint session_mails_kind_check;
