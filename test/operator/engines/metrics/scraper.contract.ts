import { describe, expect, test } from 'vitest';
import type { Sample } from '../../../../operator/engines/metrics/exposition.js';
import type { Pod } from '../../../../operator/engines/metrics/pods.js';
import type { ScrapeRequest, ScrapeResult } from '../../../../operator/engines/metrics/scraper.js';

/** What is asked in the contract: pods `web-1`, which tells this text, and `web-2`, which is there and tells nothing. */
export const toldText = `# HELP requests_total How many there were.
# TYPE requests_total counter
requests_total{code="200",service="team-web-http-80@kubernetesgateway"} 1500
requests_total{code="503",service="team-web-http-80@kubernetesgateway"} 1.5e+01
requests_total{code="200",service="other"} 7
reloads_total 3
# TYPE seconds histogram
seconds_bucket{le="0.1",service="team-web-http-80@kubernetesgateway"} 4
seconds_bucket{le="+Inf",service="team-web-http-80@kubernetesgateway"} 5
seconds_sum{service="team-web-http-80@kubernetesgateway"} 1.25
seconds_count{service="team-web-http-80@kubernetesgateway"} 5
seconds_bucketed 9
quoted_total{path="a\\"b\\\\c\\n{d}"} 2
unknown_number NaN
`;

/** Who is asked in the contract. */
export interface GivenTeller {
  readonly pods: readonly Pod[];
  readonly tell: (inquest: Pick<ScrapeRequest, 'metrics' | 'services'>) => Promise<ReadonlyMap<string, ScrapeResult>>;
}

/** What holds for everybody who knows what pods tell. */
export function tellerContract(given: () => GivenTeller): void {
  const service = 'team-web-http-80@kubernetesgateway';
  const shown = ({ name, labels, value }: Sample) => `${name}${JSON.stringify(named(labels))} ${value}`;
  const of = async (uid: string, metrics: readonly string[], services?: readonly string[]) => {
    const told = await given().tell({ metrics: new Set(metrics), ...(services && { services: new Set(services) }) });
    return told.get(uid);
  };
  const samples = async (metrics: readonly string[], services?: readonly string[]) => {
    const told = await of('uid-1', metrics, services);
    return told && 'samples' in told ? told.samples.map(shown).sort() : told;
  };

  describe('what a pod tells', () => {
    // A Prometheus scrapes before it is asked.
    const before = Date.now();

    test.each<{ what: string; metrics: readonly string[]; services?: readonly string[]; told: readonly string[] }>([
      { what: 'a sample without labels', metrics: ['reloads_total'], told: ['reloads_total{} 3'] },
      {
        what: 'of some services',
        metrics: ['requests_total', 'reloads_total'],
        services: [service],
        told: [
          'reloads_total{} 3',
          `requests_total{"code":"200","service":"${service}"} 1500`,
          `requests_total{"code":"503","service":"${service}"} 15`,
        ],
      },
      {
        what: 'buckets, and neither sum nor count',
        metrics: ['seconds_bucket'],
        told: [
          `seconds_bucket{"le":"+Inf","service":"${service}"} 5`,
          `seconds_bucket{"le":"0.1","service":"${service}"} 4`,
        ],
      },
      { what: 'odd labels', metrics: ['quoted_total'], told: ['quoted_total{"path":"a\\"b\\\\c\\n{d}"} 2'] },
      { what: 'what is no number', metrics: ['unknown_number'], told: ['unknown_number{} NaN'] },
    ])('is $what', async ({ metrics, services, told }) => {
      expect(await samples(metrics, services)).toEqual([...told].sort());
    });

    test('is of a time that is not over for long, and not ahead', async () => {
      const told = await of('uid-1', ['reloads_total']);
      expect(told && 'at' in told ? told.at : 0).toBeGreaterThanOrEqual(before);
      expect(told && 'at' in told ? told.at : 0).toBeLessThanOrEqual(Date.now());
    });
  });

  test('a pod that tells nothing is silent, with why', async () => {
    expect(await of('uid-2', ['reloads_total'])).toEqual({ why: expect.any(String) });
  });

  test('each pod that is asked for is spoken of, and no other', async () => {
    const told = await given().tell({ metrics: new Set(['reloads_total']) });
    expect([...told.keys()].sort()).toEqual(
      given()
        .pods.map(({ uid }) => uid)
        .sort(),
    );
  });
}

/** Without what a Prometheus adds of itself. */
function named(labels: ReadonlyMap<string, string>): object {
  const own = [...labels].filter(([label]) => !['job', 'instance'].includes(label));
  return Object.fromEntries(own.sort(([a], [b]) => (a < b ? -1 : 1)));
}
