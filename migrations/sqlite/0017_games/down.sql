-- The former texts of the outcomes are lost, so this cannot be undone without a backup: it fails.
SELECT 'restore a backup instead' FROM migration_0017_is_not_undone;
