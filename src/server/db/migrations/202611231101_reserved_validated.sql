-- no transaction
-- Rows that were there before are checked while others go on writing.
alter table appointments validate constraint appointments_state_check;
alter table appointments validate constraint appointments_cancel_code_check;
alter table appointments validate constraint appointments_cancel_code_cancelled;
alter table appointments validate constraint appointments_freeze_booked;
alter table appointments validate constraint appointments_reserved_whole;
alter table appointments validate constraint appointments_pay_order;
alter table session_mails validate constraint session_mails_kind_check;
