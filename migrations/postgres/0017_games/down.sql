-- What the rounds' outcomes were called is not kept, so there is no way back but a backup: this fails.
SELECT 'restore a backup instead' FROM migration_0017_is_not_undone;
