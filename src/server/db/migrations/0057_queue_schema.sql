-- The queue creates its own tables when it starts. Its schema is created here, under the migrations' lock: of several
-- instances that create it at once, one fails.
create schema if not exists pgboss;
