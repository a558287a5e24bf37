-- A card that pays one session is not remembered, and one whose last payment was declined is told apart.
alter table payment_methods
  -- False: it pays one session, is not listed, and is removed after it.
  add column remembered boolean not null default true,
  add column declined_at timestamptz;
create index payment_methods_single_use on payment_methods (created_at)
  where not remembered and removed_at is null;
