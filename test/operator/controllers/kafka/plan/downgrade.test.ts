import { afterEach, expect, test } from 'vitest';
import { closeAll } from '../../../runtime/given/oracle.js';
import { givenServing } from '../given-serving.js';

afterEach(closeAll);

test('line 6: a version below the finalized one is refused, and the message has the version to set', async () => {
  const { operator, apply, told } = await givenServing({});
  await apply({ version: '4.3' });
  await operator.clock.advance(10_000);
  expect(await told('Accepted')).toMatchObject({
    reason: 'VersionFinalized',
    message:
      'spec.version: Invalid value: "4.3": must not be lower than the finalized version, because brokers of 4.3 cannot read metadata of level 33; set spec.version to 4.4',
  });
});
