import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GivenKafka, kafkaAbsence } from '../../given/kafka.js';

const absence = await kafkaAbsence();
const describeKafka = absence === undefined ? describe : describe.skip;
if (absence !== undefined) console.error(`skipped: ${absence}`);

describeKafka('a broker without a record of the metadata log', () => {
  test('starts, although it has the state of a quorum', async () => {
    await using kafka = await GivenKafka.start();
    const broker = kafka.node(0);
    await broker.stop();
    const log = join(broker.folder, 'data', '__cluster_metadata-0');
    expect(await readdir(log)).toContain('quorum-state');
    for (const name of await readdir(log))
      if (/\.(log|checkpoint|index|timeindex|snapshot)$/.test(name)) await rm(join(log, name));
    await broker.start();
    expect(broker.running).toBe(true);
  });
});
