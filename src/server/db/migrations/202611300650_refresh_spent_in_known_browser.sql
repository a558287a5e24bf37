-- Whether the call that spent a refresh token came from a browser known to its account. Null where a release spent it that
-- did not note it: such a token is not forgiven later.
alter table refresh_tokens add column spent_in_known_browser boolean;
