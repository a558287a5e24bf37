-- What a reservation was made for: a client's own choice, a place on a waiting list that was offered, or a practitioner's
-- own entry. Only a client's own holds count towards how many they may have.
alter table reservations
  add column origin text not null default 'client',
  add constraint reservations_origin check (origin in ('client', 'offer', 'practitioner')) not valid;
