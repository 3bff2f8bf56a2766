import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const env = { ...process.env, PYTHONPATH: 'images/postgres/bin', PYTHONDONTWRITEBYTECODE: '1' };

/** What the image's programs say before what pgBackRest said. @param more arguments after that, as Python has them */
async function meaning(said: string, more = ''): Promise<string> {
  const program = `import meanings, sys; print(meanings.meaning(sys.argv[1]${more}))`;
  return (await promisify(execFile)('python3', ['-c', program, said], { env })).stdout.slice(0, -1);
}

const full = "ERROR: [039]: unable to write '/var/lib/postgresql/pgdata/base/5/1255': [28] No space left on device";

test.each([
  { said: full, more: '', means: 'no space is left; increase spec.backup.target.volume.size; ' },
  { said: full, more: ', "spec.storage.size"', means: 'no space is left; increase spec.storage.size; ' },
  {
    ...{
      said: 'WARN: repo1: [BackupSetInvalidError] no backup sets to restore\nERROR: [075]: no backup set found',
      more: '',
    },
    means: 'the archive has no backup yet; ',
  },
  { said: 'ERROR: [027]: option not valid', more: '', means: '' },
])('line 6: people are told what to mend: "$means"', async ({ said, more, means }) => {
  expect(await meaning(said, more)).toBe(means);
});
