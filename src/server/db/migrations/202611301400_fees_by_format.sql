-- The lowest and the highest fee of the sessions in one format, in pence. Null: none are held in it.
alter table practitioner_search
  add column min_online_fee_pence int,
  add column max_online_fee_pence int,
  add column min_face_to_face_fee_pence int,
  add column max_face_to_face_fee_pence int;

-- The previous release rewrites a search row without these. It does so in the transaction that changes the services. Goes
-- with the contraction.
create function set_fees_by_format() returns trigger language plpgsql as $$
begin
  select min(fee_pence) filter (where appointment_type = 'online'),
    max(fee_pence) filter (where appointment_type = 'online'),
    min(fee_pence) filter (where appointment_type = 'face_to_face'),
    max(fee_pence) filter (where appointment_type = 'face_to_face')
  into new.min_online_fee_pence, new.max_online_fee_pence, new.min_face_to_face_fee_pence, new.max_face_to_face_fee_pence
  from practitioner_services where practitioner_id = new.practitioner_id;
  return new;
end $$;
create trigger practitioner_search_fees_by_format before insert or update of min_fee_pence on practitioner_search
  for each row execute function set_fees_by_format();
