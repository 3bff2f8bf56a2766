import { describe, expect, test } from 'vitest';
import { CallError } from '../../../../operator/runtime/ports/external-call.js';
import type { Provided } from '../../../../operator/runtime/ports/external-port.js';
import { MemoryPort, type PortCase, portContract, portModel } from '../../../../operator/testing/index.js';
import { dns, nameService } from '../../runtime/given/records.js';

const refusing = portModel(dns, {
  state: {} as Readonly<Record<string, string>>,
  answer: (names, name) => nameService.answer(names as never, name as never) as { readonly address?: string },
  perform: (names, request) => {
    if (request.address === '0') throw new CallError('terminal', 'address 0 is reserved');
    return nameService.perform(names as never, request as never) as Readonly<Record<string, string>>;
  },
});

const given: PortCase<string, { readonly address?: string }, { readonly name: string; readonly address?: string }> = {
  port: dns,
  start: async () => new MemoryPort(refusing).provided,
  question: 'web',
  before: {},
  request: { name: 'web', address: '1' },
  after: { address: '1' },
  refused: { name: 'web', address: '0' },
};

describe('a memory port', () => {
  for (const { name, holds } of portContract(given)) test(name, holds);
});

test.each<{ finds: string; when: string; broken: (port: Provided) => Provided }>([
  {
    finds: 'answers the question, and shows the effect of a request within visibleWithin',
    when: 'a request has no effect',
    broken: (port) => ({ ...port, performer: { perform: async () => {} } }),
  },
  {
    finds: 'rejects when its signal has aborted, and sends nothing then',
    when: 'the signal is ignored',
    broken: (port) => ({
      ...port,
      performer: {
        perform: async (request, options) =>
          port.performer?.perform(request, { ...options, signal: new AbortController().signal }),
      },
    }),
  },
  {
    finds: 'rejects a request that the system never accepts with a terminal CallError, without an effect',
    when: 'a refusal counts as temporary',
    broken: (port) => ({
      ...port,
      performer: {
        perform: async (request, options) => {
          await port.performer?.perform(request, options).catch((error: Error) => {
            throw new CallError('retryable', error.message);
          });
        },
      },
    }),
  },
])('the contract finds a port that does not hold "$finds": $when', async ({ finds, broken }) => {
  const start = async () => broken(await given.start());
  const check = portContract({ ...given, start }).find(({ name }) => name === finds);
  await expect(check?.holds()).rejects.toThrow();
});
