-- A change of a paid session may alter the platform's discount alone, by the penny that it is rounded to. It is a refund of
-- no amount; its discount is below zero where more of it is owed than before.
alter table refunds
  drop constraint refunds_amount_pence_check,
  drop constraint refunds_discount_pence_check,
  add constraint refunds_move_something check (amount_pence > 0 or (amount_pence = 0 and discount_pence <> 0)) not valid;
