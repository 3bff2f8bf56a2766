import { describe, expect, it } from 'vitest';
import { statusView } from '../../../cli/certificates/view.js';
import { problemsOf } from '../../../cli/status/problems.js';
import { condition, good, healthy, now, withCertificate } from './given-resources.js';

describe('the status', () => {
  it('is one screen with each kind', () => {
    expect(statusView(healthy, now)).toEqual({
      isWrong: false,
      lines: [
        'NAMESPACE  ISSUER    TYPE          READY  EXPIRES   RENEWS',
        '(cluster)  company   ACME          True   -         -',
        'shop       internal  generated CA  True   in 1096d  in 730d',
        '',
        'NAMESPACE  CERTIFICATE  READY  EXPIRES  RENEWS  CONSUMERS  ISSUER',
        'shop       shop         True   in 89d   in 59d  2/2        internal',
        '',
        'TRUSTBUNDLE  READY  CERTIFICATES  NAMESPACES  EXPIRES',
        'company      True   2             5           -',
        '',
        'NAMESPACE  ROTATION    READY  ROTATED   NEXT    CONSUMERS  LOGIN',
        'shop       orders-app  True   2h3m ago  in 29d  1/1        orders_app_a',
        '',
        'No problems.',
      ],
    });
  });

  it('has what is wrong below the tables, then what is in progress, then what is not shown', () => {
    const conditions = [
      condition('Ready', 'False', 'OrderFailed'),
      condition('UpToDate', 'False', 'OrderFailed', 'The order failed: \u001b[31mno such name'),
      condition('Adopted', 'Unknown', 'RollingOut', 'Waiting for Deployment shop'),
    ];
    const found = { ...withCertificate({ conditions }), notes: ['TrustBundle is not shown: forbidden'] };
    const { lines, isWrong } = statusView(found, now);
    expect(isWrong).toBe(true);
    expect(lines.slice(lines.indexOf('Problems:'))).toEqual([
      'Problems:',
      '  Certificate shop/shop: UpToDate OrderFailed',
      '    The order failed: \\u001b[31mno such name',
      '',
      'In progress:',
      '  Certificate shop/shop: Adopted RollingOut',
      '    Waiting for Deployment shop',
      '',
      'TrustBundle is not shown: forbidden',
    ]);
  });
});

describe('a problem of a resource', () => {
  const certificate = (status: object) => problemsOf(withCertificate(status).certificates[0] ?? expect.fail(), now);
  it.each<{ found: readonly string[]; when: string; status: object }>([
    { found: [], when: 'all is well', status: {} },
    {
      found: ['!Valid Expired'],
      when: 'a condition is False',
      status: { conditions: [...good, condition('Valid', 'False', 'Expired')] },
    },
    {
      found: ['Adopted RollingOut'],
      when: 'a condition is Unknown',
      status: { conditions: [...good, condition('Adopted', 'Unknown', 'RollingOut')] },
    },
    {
      found: ['!Conflicted NotOwned'],
      when: 'an object of another owner blocks it',
      status: { conditions: [...good, condition('Conflicted', 'True', 'NotOwned')] },
    },
    {
      found: ['!Accepted Invalid'],
      when: 'its spec is rejected, which the summaries repeat',
      status: {
        conditions: [
          condition('Ready', 'False', 'Invalid'),
          condition('Accepted', 'False', 'Invalid'),
          condition('Stalled', 'True', 'Invalid'),
        ],
      },
    },
    {
      found: [],
      when: 'generic tools wait for it, and no other condition is in progress',
      status: { conditions: [...good, condition('Reconciling', 'True', 'Progressing')] },
    },
    { found: ['!Operator NotObserved'], when: 'no operator has seen the spec', status: { observedGeneration: 2 } },
    { found: ['!Operator NotObserved'], when: 'no operator has seen it', status: { observedGeneration: -1 } },
    { found: [], when: 'a renewal has just begun', status: { renewalTime: '2029-12-31T23:55:01Z' } },
    {
      found: ['!Operator Overdue'],
      when: 'a renewal is due, and nothing reports why',
      status: { renewalTime: '2029-12-31T23:55:00Z' },
    },
    {
      found: ['!UpToDate OrderFailed'],
      when: 'a renewal is due, and a condition reports why',
      status: {
        renewalTime: '2029-12-31T00:00:00Z',
        conditions: [...good, condition('UpToDate', 'False', 'OrderFailed')],
      },
    },
  ])('is $found when $when', ({ found, status }) => {
    const shown = certificate(status).map(
      ({ isProgress, type, reason }) => `${isProgress ? '' : '!'}${type} ${reason}`,
    );
    expect(shown).toEqual(found);
  });

  it('of a rotation is that it is overdue', () => {
    const [rotation = expect.fail()] = healthy.rotations;
    const late = { ...rotation, status: { ...rotation.status, nextRotation: '2029-12-31T22:00:00Z' } };
    expect(problemsOf(late, now).map(({ message }) => message)).toEqual([
      'The rotation has been due for 2h, and no condition reports why; check that the operator runs',
    ]);
  });
});
