import { expect, it, vi } from 'vitest';

vi.mock('@opentelemetry/api', () => {
  throw new Error('OpenTelemetry is loaded');
});

it('R32 is not even loaded by an operator that is not to trace', async () => {
  await expect(import('../../../operator/process/run-operator.js')).resolves.toHaveProperty('runOperator');
  const { openTelemetrySpans } = await import('../../../operator/telemetry/spans.js');
  await expect(openTelemetrySpans()).rejects.toThrow();
});
