-- Every release that runs knows reserved sessions. The release before this one still reads the key.
update installation set value = 'on' where key = 'weekly-series' and value <> 'on';
