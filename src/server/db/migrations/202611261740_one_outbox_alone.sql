-- No release that keeps mails in tables of their own runs any more.
drop trigger outgoing_mails_to_sessions on outgoing_mails;
drop trigger outgoing_mails_deleted_to_sessions on outgoing_mails;
drop trigger outgoing_mails_to_help on outgoing_mails;
drop trigger outgoing_mails_deleted_to_help on outgoing_mails;
drop trigger outgoing_mails_to_subscriptions on outgoing_mails;
drop trigger outgoing_mails_to_account_letters on outgoing_mails;
drop trigger outgoing_mails_deleted_to_letters on outgoing_mails;
drop trigger outgoing_mails_to_unread on outgoing_mails;
drop view help_mails_as_outgoing, subscription_mails_as_outgoing, letters_as_outgoing;
drop table session_mails, help_mails, subscription_mails, account_letters, vetting_letters, chat_unread_mails;
drop function copy_session_mail, copy_mail_to_session_mails, delete_outgoing_mail, delete_session_mail, copy_help_mail,
  copy_mail_to_help_mails, delete_help_mail, copy_subscription_mail, copy_state_to_subscription_mails, copy_letter,
  copy_mail_to_account_letters, delete_letter, copy_unread_mail, copy_mail_to_unread_mails;

-- Claims of a release that has ended.
delete from outgoing_mails where template = 'chat.unread' and dedupe_key like 'previous claim %';
