-- no transaction
-- Searches by price read these alone: to count, and to order by price or by the next free time.
create index concurrently if not exists practitioner_search_fees on practitioner_search
  (min_fee_pence, max_fee_pence) include (practitioner_id, listed_until, next_free_online, next_free_face_to_face);
create index concurrently if not exists practitioner_search_dearest on practitioner_search
  (max_fee_pence desc, practitioner_id) include (min_fee_pence, listed_until);
