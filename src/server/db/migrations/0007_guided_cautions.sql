-- Kinds of therapy that an answer speaks against, whatever else is said: couples sessions where somebody is afraid of
-- somebody, going back to memories while it is still happening.
alter table guided_answers add column excludes int[] not null default '{}';
