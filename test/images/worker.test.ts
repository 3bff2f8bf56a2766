import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** The output of pgBackRest 2.45 for the files of a backup. */
const file = (worker: number, path: string, word = 'backup file') =>
  `2026-11-22 06:22:20.223 P0${worker} DETAIL: ${word} ${path} (8KB, 3.38%) checksum 552ddd82e7a9`;
const data = '/var/lib/postgresql/pgdata';
const host = (serial: number) => `orders-${serial}.orders-members.shop.svc`;
const info = [
  {
    name: 'orders',
    repo: [{ status: { code: 0 } }],
    backup: [
      {
        ...{
          label: '20261122-062218F',
          annotation: { uid: 'uid-of-nightly' },
          lsn: { start: '0/2000028', stop: '0/2000100' },
        },
        ...{ archive: { stop: '000000010000000000000002' }, timestamp: { start: 1795328538, stop: 1795328541 } },
        info: { size: 23_000_000, repository: { delta: 3_000_000 } },
      },
    ],
  },
];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'worker-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** The report of a backup worker for this output of pgBackRest. */
async function made({
  lines,
  exitCode = 0,
  isThere = false,
}: {
  lines: string[];
  exitCode?: number;
  isThere?: boolean;
}) {
  const at = (name: string) => join(folder, name);
  await writeFile(at('info'), JSON.stringify(info));
  await writeFile(at('log'), `${lines.join('\n')}\n`);
  // The backup is in the archive when it has been made.
  const program = `#!/bin/sh
for last; do :; done
case $last in
  info) if [ -e ${at('made')} ]; then cat ${at('info')}; else echo '[]'; fi ;;
  backup) case "$*" in *--log-level-console=detail*) cat ${at('log')} ;; esac
    if [ ${exitCode} != 0 ]; then echo 'ERROR: [056]: unable to find primary cluster' >&2; exit ${exitCode}; fi
    touch ${at('made')} ;;
esac
`;
  await writeFile(at('pgbackrest'), program);
  await chmod(at('pgbackrest'), 0o755);
  if (isThere) await writeFile(at('made'), '');
  const own = {
    OWNER: 'database-backup shop/nightly uid-of-nightly',
    TERMINATION_MESSAGE: at('message'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const env = { ...process.env, ...own, PATH: `${folder}:${process.env['PATH']}` };
  const line = ['images/postgres/bin/reconstruct-worker', 'make', '--stanza=orders', '--name=nightly'];
  await promisify(execFile)('python3', line, { env }).catch(() => undefined);
  return JSON.parse(await readFile(at('message'), 'utf8'));
}

test('line 6: a backup says which instance it was taken from, though the primary gave a few files', async () => {
  const lines = [
    '2026-11-22 06:22:18.640 P00   INFO: backup start archive = 000000010000000000000002, lsn = 0/2000028',
    file(1, `${host(1)}:${data}/global/pg_control`),
    file(2, `${host(2)}:${data}/base/5/1255`),
    file(2, `${host(2)}:${data}/base/5/1256`),
    "2026-11-22 06:22:21.759 P00 DETAIL: wrote 'backup_label' file returned from backup stop function",
  ];
  expect(await made({ lines })).toMatchObject({ label: '20261122-062218F', instance: 'orders-2' });
});

test('line 6: so does one in which little has changed', async () => {
  const same = [1, 2].map((serial) =>
    file(2, `${host(3)}:${data}/base/5/125${serial}`, 'match file from prior backup'),
  );
  expect(await made({ lines: [file(1, `${host(1)}:${data}/global/pg_control`), ...same] })).toMatchObject({
    instance: 'orders-3',
  });
});

test('line 6: a backup of an earlier attempt has its label and no instance', async () => {
  const said = await made({ lines: [], isThere: true });
  expect(said).toMatchObject({ label: '20261122-062218F' });
  expect(said).not.toHaveProperty('instance');
});

test('line 6: a failure has the message of pgBackRest', async () => {
  expect(await made({ lines: [file(1, `${host(1)}:${data}/global/pg_control`)], exitCode: 56 })).toEqual({
    problem: 'pgbackrest failed: ERROR: [056]: unable to find primary cluster',
  });
});
