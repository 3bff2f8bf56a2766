import {
  type HookRequest,
  type HookState,
  type HooksAnswer,
  type HooksQuestion,
  leaderHooks,
} from '../../controllers/leader/ports/hooks.js';
import { messageOf } from '../../runtime/kubernetes/errors.js';
import { isRecord } from '../../runtime/kubernetes/json.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { type PerformOptions, type Provided, provided, type SecretData } from '../../runtime/ports/external-port.js';
import { askEach, askPod, type PodAccess } from './pod-request.js';

/** Asks applications for their role, and tells them another one. */
export function hooksFrom(access: PodAccess): Provided {
  return provided(
    leaderHooks,
    async ({ pods, port, path, timeout }: HooksQuestion, { signal, secret }): Promise<HooksAnswer> => {
      signal.throwIfAborted();
      const token = tokenIn(secret);
      const { answers: states, silent } = await askEach(
        pods,
        async ({ address }) => {
          const { status, text } = await askPod({ address, port, path, timeout, token, signal }, access);
          if (status !== 200) throw new Error(`the hook answers with status ${status}`);
          return stateIn(text);
        },
        signal,
      );
      return { states, silent };
    },
    { perform: (request, options) => called(request, options, access), concurrency: 16, callsPerSecond: 100 },
  );
}

async function called(
  { pod, port, path, timeout, hook, term, leader }: HookRequest,
  { signal, secret, mayLeave }: PerformOptions,
  access: PodAccess,
): Promise<void> {
  signal.throwIfAborted();
  mayLeave();
  const { name, uid, address } = pod;
  const body = { hook, term, pod: name, uid, ...(leader && { leader }) };
  const { status } = await askPod({ address, port, path, timeout, token: tokenIn(secret), body, signal }, access).catch(
    (error: unknown) => {
      if (error instanceof CallError || signal.aborted) throw error;
      throw new CallError('unreachable', `hook ${hook} of ${name}: ${messageOf(error)}`);
    },
  );
  if (status >= 200 && status < 300) return;
  // A corrected application accepts the same request, so no status is final.
  throw new CallError('retryable', `hook ${hook} of ${name} answers with status ${status}`);
}

function tokenIn(secret: SecretData | undefined): string | undefined {
  const token = secret?.['token']?.trim();
  return token === '' ? undefined : token;
}

function stateIn(text: string): HookState {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    throw new Error('the answer is no JSON');
  }
  const { role: told, term } = isRecord(said) ? said : {};
  const role = (['leader', 'replica', 'none'] as const).find((one) => one === told);
  if (!role || typeof term !== 'number' || !Number.isSafeInteger(term) || term < 0)
    throw new Error('the answer must be such as {"role": "leader", "term": 7}');
  return { role, term };
}
