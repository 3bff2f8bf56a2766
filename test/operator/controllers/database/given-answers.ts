import { type CredentialsAnswer, credentials } from '../../../../operator/controllers/database/ports/credentials.js';
import { members } from '../../../../operator/controllers/database/ports/members.js';
import { fakeSource } from '../../../../operator/testing/index.js';

/** What is drawn, the same each time. */
export const drawn = {
  passwords: { superuser: 'super', app: 'application', replication: 'replication', rewind: 'rewind' },
  certified: {
    authority: { certificate: 'AUTHORITY', key: 'AUTHORITY KEY' },
    server: { certificate: 'SERVER', key: 'SERVER KEY' },
    trusted: 'AUTHORITY',
  },
} satisfies CredentialsAnswer;

/** Somebody who draws what is asked for. */
export const drawing = fakeSource(credentials, ({ passwords, certificate }) => {
  const named = Object.entries(drawn.passwords).filter(([name]) => passwords.includes(name));
  return { passwords: Object.fromEntries(named), ...(!certificate.known && { certified: drawn.certified }) };
});

/** Instances none of which runs. */
export const listening = fakeSource(members, ({ members: asked }) => {
  throw new Error(`none of ${asked.length} answers`);
});
