import { describe, expect, it } from 'vitest';
import { statusView } from '../../../cli/certificates/view.js';
import { condition, now } from '../status/given-conditions.js';
import { healthy, withCertificate } from './given-resources.js';

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
