import type { Span as OpenSpan } from '@opentelemetry/api';
import { messageOf } from '../runtime/kubernetes/errors.js';
import type { Span } from '../runtime/ports/telemetry.js';

/**
 * Root spans. As a child of the work that triggered it, usually an earlier reconcile, a reconcile would extend a trace
 * without end.
 */
const outermost: ReadonlySet<string> = new Set(['reconcile']);

/**
 * Reports work to an OpenTelemetry SDK as nested spans. The process loads the SDK before, for example with `node
 * --import`.
 * @throws {Error} if none is loaded
 */
export async function openTelemetrySpans(): Promise<Span> {
  // Loaded only if it is used.
  const { ProxyTracerProvider, SpanStatusCode, trace } = await import('@opentelemetry/api');
  const provider = trace.getTracerProvider();
  if (provider instanceof ProxyTracerProvider && !provider.getDelegateTracer('any')) {
    throw new Error(
      'tracing is enabled, but no OpenTelemetry SDK is loaded: start node with --import and a module that registers one',
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

/** Attribute names are global, so ours have a prefix. */
function named(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`reconstruct.${name}`, value]));
}
