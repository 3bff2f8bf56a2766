import { expect, test } from 'vitest';
import { conditions as ofBackups } from '../../../../operator/controllers/database/backup-schedule/conditions.js';
import { conditions as ofInstances } from '../../../../operator/controllers/database/conditions.js';
import { conditions as ofBackup } from '../../../../operator/controllers/database-backup/conditions.js';

const messages = Object.entries({ ofInstances, ofBackups, ofBackup }).flatMap(([controller, conditions]) =>
  Object.entries(conditions).flatMap(([type, reasons]) =>
    Object.entries(reasons as Readonly<Record<string, readonly [string, string]>>).map(([reason, [, message]]) => ({
      reason: `${controller} ${type} ${reason}`,
      message,
    })),
  ),
);

test.each(messages)('the message of $reason is a sentence with a capital and no full stop', ({ message }) => {
  expect(message).toMatch(/^[A-Z].*[^.]$/);
});

test.each(messages)('the message of $reason uses plain words', ({ message }) => {
  expect(message).not.toMatch(/\b(says|tells|told|mend|somebody|nobody|whoever|taken back|made anew|claim)\b/);
});
