import type { Span as OpenSpan } from '@opentelemetry/api';
import { messageOf } from '../runtime/kubernetes/errors.js';
import type { Span } from '../runtime/ports/telemetry.js';

/** What is part of nothing: of whatever woke a pass, an earlier one most often, it would be a part without end. */
const outermost: ReadonlySet<string> = new Set(['reconcile']);

/**
 * Tells an OpenTelemetry SDK of what is done, as spans below one another. The SDK is the process's own: loaded before,
 * as with `node --import`.
 * @throws {Error} when there is none
 */
export async function openTelemetrySpans(): Promise<Span> {
  // Loaded by who wants it alone.
  const { ProxyTracerProvider, SpanStatusCode, trace } = await import('@opentelemetry/api');
  const provider = trace.getTracerProvider();
  if (provider instanceof ProxyTracerProvider && !provider.getDelegateTracer('any')) {
    throw new Error(
      'tracing is on, but no OpenTelemetry SDK is loaded: start node with --import and one that registers',
    );
  }
  const tracer = trace.getTracer('cdk8s-reconstruct');
  const end = (span: OpenSpan, failure?: { readonly error: unknown }) => {
    if (failure) span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(failure.error) });
    span.end();
  };
  return (name, fields, work) =>
    tracer.startActiveSpan(name, { attributes: named(fields), root: outermost.has(name) }, (span) => {
      try {
        const result = work();
        if (result instanceof Promise) {
          result.then(
            () => end(span),
            (error: unknown) => end(span, { error }),
          );
        } else end(span);
        return result;
      } catch (error) {
        end(span, { error });
        throw error;
      }
    });
}

/** Names of attributes are shared by all programs: ours have our name before them. */
function named(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`reconstruct.${name}`, value]));
}
