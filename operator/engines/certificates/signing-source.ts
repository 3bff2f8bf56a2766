import { revocationList } from '../../certificates/revocation.js';
import { signedBy } from '../../certificates/signing.js';
import { validFor } from '../../certificates/times.js';
import type { RevocationAnswer, RevocationQuestion } from '../../controllers/certificates/ports/revocation.js';
import type { SigningAnswer, SigningQuestion } from '../../controllers/certificates/ports/signing.js';
import type { Clock } from '../../runtime/ports/clock.js';
import type { SecretData, Source } from '../../runtime/ports/external-port.js';
import { authorityIn } from './ca-secret.js';
import { UrgencyQueue } from './urgency-queue.js';

/** The number of signatures at a time. */
const atATime = 4;

/** Signs certificates with the CA in a Secret. Of those that wait, the one that expires first is next. */
export function signingSource(clock: Pick<Clock, 'now'>): Source<SigningQuestion, SigningAnswer> {
  const queue = new UrgencyQueue(atATime);
  return (question, { secret }) =>
    queue.run(question.expires, async () => ({ certificate: await sign(question, secret, clock.now()) }));
}

async function sign(question: SigningQuestion, secret: SecretData | undefined, now: number): Promise<string> {
  const { names, usages, isCA, duration, publicKey } = question;
  const { commonName, ...others } = names;
  const content = { commonName, names: others, usages, isCA, validity: validFor(duration, now) };
  return signedBy(authorityIn(secret, question.authority), content, publicKey);
}

/** Signs certificate revocation lists with the CA in a Secret. */
export const revocationSource: Source<RevocationQuestion, RevocationAnswer> = async (question, { secret }) => ({
  list: await revocationList(authorityIn(secret, question.authority), question),
});
