import type { Provided } from '../../runtime/port.js';
import { portsOf } from '../answers.js';
import { epoch, type SimulatedProcess } from './process.js';
import type { Scene } from './scene.js';

/** Those whom one process asks: slow, and not always there. */
export function simulatedPorts({ controller, given, time, weather, history }: Scene, process: SimulatedProcess) {
  const ports = portsOf(controller, given.answers ?? [], () => epoch + time.now);
  const travel = () => new Promise<void>((resolve) => process.later(weather.delay(), resolve));
  return ports.map(({ port, source }): Provided => {
    const answer: Provided['source'] = async (question, options) => {
      history.say(process.identity, `asks ${port.name}`);
      await travel();
      if (weather.comes('silent watches')) await new Promise(() => {});
      if (weather.comes('refusals')) throw new Error(`${port.name} is busy`);
      const told = await source(question, options);
      await travel();
      history.say(process.identity, `is told ${port.name}`);
      return told;
    };
    return { port, source: answer };
  });
}
