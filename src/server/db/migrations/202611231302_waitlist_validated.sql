-- no transaction
alter table practitioners validate constraint practitioners_waitlist;
create unique index concurrently if not exists appointments_offer on appointments (offer_id) where offer_id is not null;
