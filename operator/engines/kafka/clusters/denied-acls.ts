import type { KafkaSession } from '../connection/session.js';
import { filterFor, type WireAcl } from '../users/acls.js';

/** SECURITY_DISABLED: the cluster has no ACLs. */
const noAcls = 54;
const literal = 3;
const deny = 2;

/** The literal ACLs that deny something, all marks among them, by one request. Undefined if the cluster has no ACLs. */
export async function deniedAcls(session: KafkaSession): Promise<readonly WireAcl[] | undefined> {
  const denied = { ...filterFor(null), resourcePatternType: literal, permissionType: deny };
  const { errorCode, errorMessage, resources } = await session.ask('describeAcls', [denied] as never, { partly: true });
  if (errorCode === noAcls) return undefined;
  if (errorCode !== 0) throw session.refusal(errorCode, errorMessage);
  return resources.flatMap(({ acls, ...resource }) => acls.map((acl) => ({ ...resource, ...acl }) as WireAcl));
}
