-- no transaction
alter table refunds validate constraint refunds_move_something;
