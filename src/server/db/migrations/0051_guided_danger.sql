-- How urgent an answer that shows danger is: 'now' leads to the emergency numbers before anything else, 'watch' keeps them
-- in sight. Null where the release before this one wrote the answers; `shows_danger` alone then counts as 'watch'.
alter table guided_answers add column danger text
  constraint guided_answers_danger_known check (danger in ('now', 'watch')),
  add constraint guided_answers_danger_shown check (danger is null or shows_danger);
-- Fear of acting on thoughts of suicide, fear of another person, and an event that still goes on.
update guided_answers set danger = case when id in (10503, 20503, 20603, 30503, 30603, 40403) then 'now' else 'watch' end
where shows_danger;
