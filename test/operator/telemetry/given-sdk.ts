import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  type ContextManager,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/** A span as it ended. */
export interface Told {
  readonly name: string;
  /** The names of the spans that it is below, from the outermost. */
  readonly below: readonly string[];
  readonly attributes: SpanOptions['attributes'];
  status?: SpanStatus;
}

/** The smallest OpenTelemetry SDK: it keeps what ended, in order. */
export class GivenSdk {
  readonly told: Told[] = [];

  constructor() {
    context.setGlobalContextManager(new Contexts());
    trace.setGlobalTracerProvider({ getTracer: () => this.#tracer() });
  }

  /** Leaves the process as if it had never been loaded. */
  unload(): void {
    trace.disable();
    context.disable();
  }

  #tracer(): Tracer {
    const start = (name: string, options: SpanOptions = {}, parent: Context = context.active()) =>
      new RecordedSpan(this.told, name, options, options.root ? undefined : trace.getSpan(parent));
    const startActiveSpan = ((name: string, options: SpanOptions, work: (span: Span) => unknown) => {
      const span = start(name, options);
      return context.with(trace.setSpan(context.active(), span), work, undefined, span);
    }) as Tracer['startActiveSpan'];
    return { startSpan: start, startActiveSpan };
  }
}

class Contexts implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();
  active = () => this.#storage.getStore() ?? ROOT_CONTEXT;
  with: ContextManager['with'] = (active, work, self, ...args) =>
    this.#storage.run(active, () => work.call(self as never, ...args));
  bind: ContextManager['bind'] = (_, target) => target;
  enable = () => this;
  disable = () => this;
}

class RecordedSpan implements Span {
  readonly #told: Told;

  constructor(
    readonly all: Told[],
    name: string,
    { attributes }: SpanOptions,
    parent: Span | undefined,
  ) {
    const below = parent instanceof RecordedSpan ? [...parent.#told.below, parent.#told.name] : [];
    this.#told = { name, below, attributes };
  }

  spanContext = (): SpanContext => ({ traceId: '', spanId: '', traceFlags: 1 });
  setStatus = (status: SpanStatus) => {
    this.#told.status = status;
    return this;
  };
  end = () => {
    this.all.push(this.#told);
  };
  isRecording = () => true;
  setAttribute = () => this;
  setAttributes = () => this;
  addEvent = () => this;
  addLink = () => this;
  addLinks = () => this;
  updateName = () => this;
  recordException = () => {};
}
