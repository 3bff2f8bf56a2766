import { describe, expect, it } from 'vitest';
import { isLevelled } from '../../../../../operator/controllers/algorithm/level/view.js';
import { algorithmResource } from '../given-algorithm.js';

const lifecycle = { canaryWeight: 10 };
const scaling = { maxReplicas: 3, targetLatencyMs: 200 };
const sla = { availability: 0.99 };
const routed = (reason: string) => ({ conditions: [{ type: 'Routed', reason }] });

describe('an Algorithm has a service level', () => {
  it.each<{ is: boolean; when: string; spec: object; status?: object }>([
    { is: false, when: 'it has a lifecycle alone', spec: { lifecycle } },
    { is: false, when: 'it has a target for its latency and no lifecycle', spec: { scaling } },
    { is: true, when: 'it has an sla', spec: { lifecycle, sla } },
    {
      is: true,
      when: 'it has an sla, and no gateway can measure it, which is reported',
      spec: { lifecycle, sla },
      status: routed('NoGatewayApi'),
    },
    { is: false, when: 'it has a target, and it is not known yet who measures it', spec: { lifecycle, scaling } },
    {
      is: true,
      when: 'it has a target, and the gateway is about to measure it',
      spec: { lifecycle, scaling },
      status: routed('WaitingForGateway'),
    },
    {
      is: false,
      when: 'it has a target, and the cluster does not serve the Gateway API',
      spec: { lifecycle, scaling },
      status: routed('NoGatewayApi'),
    },
    {
      is: false,
      when: 'it has a target, and there is no gateway',
      spec: { lifecycle, scaling },
      status: routed('NoGateway'),
    },
    {
      is: true,
      when: 'the gateway is gone, and a slow version had raised the minimum of the autoscaler',
      spec: { lifecycle, scaling },
      status: { ...routed('NoGateway'), scaling: { minReplicas: 2, since: '2030-01-01T00:00:00Z' } },
    },
  ])('$is when $when', ({ is, spec, status }) => {
    expect(isLevelled({ ...algorithmResource(spec), ...(status && { status }) } as never)).toBe(is);
  });
});
