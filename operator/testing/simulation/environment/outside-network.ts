import { CallError } from '../../../runtime/ports/external-call.js';
import type { Provided } from '../../../runtime/ports/external-port.js';
import { type MemoryPort, type PerformedRequest, showsWithinOf } from '../../contract/trial/memory-port.js';
import type { SimulatedProcess } from './process.js';
import type { Scene } from './scene.js';
import type { Fault } from './weather.js';

interface OutsideNetwork {
  readonly scene: Scene;
  readonly process: SimulatedProcess;
  /** Called when a call leaves the process. */
  readonly leaves: () => void;
  /** Called when a call has reached the system. */
  readonly reaches: (port: MemoryPort, request: PerformedRequest) => void;
}

/** A system outside of the cluster behind a network with delays and faults. A call of a dead process may still arrive. */
export function throughNetwork(port: MemoryPort, { scene, process, leaves, reaches }: OutsideNetwork): Provided {
  const { history, time, weather } = scene;
  const { name } = port.model.port;
  const say = (what: string) => history.say(process.identity, what);
  const back = <T>(settle: () => T) =>
    new Promise<T>((resolve, reject) => {
      process.later(weather.delay(), () => {
        try {
          resolve(settle());
        } catch (error) {
          reject(error);
        }
      });
    });
  // A history has few calls, so their faults are more frequent than those of requests.
  const often = (fault: Fault) => weather.has(fault) && !weather.isCalm && weather.chance.happens(0.4);
  const lost = () => new CallError('unreachable', `${name} did not answer`);

  const call = async (act: () => Promise<unknown>) => {
    if (process.isDead) return new Promise(() => {});
    say(`calls ${name}`);
    leaves();
    if (weather.comes('refusals'))
      return back(() => {
        throw weather.chance.happens(0.5)
          ? lost()
          : new CallError('retryable', `${name} is busy`, { mayHaveEffect: false });
      });
    if (weather.comes('crashes')) {
      process.crash();
      if (weather.chance.happens(0.5)) return new Promise(() => {});
    }
    if (weather.comes('pauses')) process.standStill(weather.pause());
    const isUnanswered = often('lost answers');
    const isHidden = often('late news');
    await new Promise<void>((resolve) => time.after(weather.delay(), resolve)); // not of the process: it may be dead by then
    port.fate = () => ({ isHidden });
    await act();
    const reached = port.performed.at(-1);
    if (reached) reaches(port, reached);
    history.say(name, `carries out ${JSON.stringify(reached?.request)}${isHidden ? ', which does not show yet' : ''}`);
    if (isHidden) time.after(weather.chance.spread(50, showsWithinOf(port.model)), () => port.show());
    if (process.isDead) return new Promise(() => {});
    return back(() => {
      if (isUnanswered) throw lost();
    });
  };

  const poll = async (act: () => Promise<unknown>) => {
    say(`polls ${name}`);
    await new Promise<void>((resolve) => process.later(weather.delay(), resolve));
    if (weather.comes('refusals')) throw new Error(`${name} is busy`);
    const answer = await act();
    return back(() => answer);
  };
  return port.through(
    (act, what) => (what === 'calls' ? call(act) : poll(act)),
    (ms, wake) => process.later(ms, wake),
  );
}
