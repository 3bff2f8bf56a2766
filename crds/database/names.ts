/**
 * Maximum length of the name of a Database. The longest derived name, `NAME-backup-20261121-030000`, must be a label
 * too.
 */
export const longestName = 40;

/** Names that every object of a Database can derive from, including its Services: an RFC 1035 label. */
export const DATABASE_NAME = '^[a-z]([-a-z0-9]*[a-z0-9])?$';

/** Names that need no quotes in SQL. */
export const SQL_NAME = '^[a-z_][a-z0-9_]{0,62}$';
