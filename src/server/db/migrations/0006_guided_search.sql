-- The guided search: four categories of questions whose answers speak for kinds of therapy. All of it is reference data;
-- what somebody answers is never stored.
create table guided_categories (
  -- The value on the wire plus one.
  id int primary key, name text not null, description text not null);
create table guided_questions (
  id int primary key,
  category_id int not null references guided_categories,
  position int not null,
  name text not null,
  hint text,
  -- 1: single-choice cards; 2: a list of radio buttons.
  type int not null check (type in (1, 2)),
  unique (category_id, position)
);
create table guided_answers (
  id int primary key,
  question_id int not null references guided_questions,
  position int not null,
  title text not null,
  -- Completes "You told us that …".
  because text,
  -- Leads to the next question; without it the recommendation follows.
  trigger_next boolean not null,
  shows_danger boolean not null,
  issue_id int references issues,
  -- Points by therapy type, `{"1": 5}`.
  scores jsonb not null,
  unique (question_id, position)
);
-- Why a kind of therapy suits what was said.
alter table therapy_types add column fits text not null default '';
