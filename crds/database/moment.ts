import { matching } from '../schema/index.js';

const year = '[1-9][0-9]{3}';
const leapYear = '([1-9][0-9](0[48]|[2468][048]|[13579][26])|([2468][048]|[13579][26])00)';
const day = [
  `${year}-(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])`,
  `${year}-(0[469]|11)-(0[1-9]|[12][0-9]|30)`,
  `${year}-02-(0[1-9]|1[0-9]|2[0-8])`,
  `${leapYear}-02-29`,
].join('|');
const time = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?';
const zone = 'Z|[+-](0[0-9]|1[0-3]):[0-5][0-9]|[+-]14:00';

/**
 * A rule for a time that JavaScript and PostgreSQL can also read. The format `date-time` is not strict enough: with it,
 * the API server accepts `10:00:00+99:99` and `10:00:00ZTevil`, and then fails in every rule that compares the stored
 * value.
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 */
export const isMoment = matching(
  `^(${day})T${time}(${zone})$`,
  'must be a date, a time and a time zone, such as 2026-11-21T13:00:00Z or 2026-11-21T14:00:00+01:00',
);
