-- Messages leave the indexes of their dialog alone.

-- Every message sets `active_at`. With an index on it each of them wrote a new entry into all indexes of the table; the day
-- changes with the first message of a day alone, and the room that is left keeps new versions of a row on its page.
drop index chat_dialogs_active;
alter table chat_dialogs
  add column active_on date not null generated always as ((active_at at time zone 'UTC')::date) stored;
alter table chat_dialogs set (fillfactor = 80);
create index chat_dialogs_active on chat_dialogs (active_on);
