/** Names of Databases at the most: their longest children, `NAME-backup-20261121-030000`, must be labels too. */
export const longestName = 40;

/** What every object of a Database may be called after, its Services too: an RFC 1035 label. */
export const DATABASE_NAME = '^[a-z]([-a-z0-9]*[a-z0-9])?$';

/** What needs no quotes in SQL. */
export const SQL_NAME = '^[a-z_][a-z0-9_]{0,62}$';
