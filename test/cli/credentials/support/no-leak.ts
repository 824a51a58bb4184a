import { type Canary, findCanaries } from '../../../support/canaries';
import { type Ending, type World } from './world';

/** The planted secrets that are visible in the output or in the command's error. */
export function leaks(world: World, ending: Ending, secrets: Record<string, string>): unknown[] {
  const canaries: Canary[] = Object.entries(secrets).map(([name, value]) => ({ name, value }));
  const { error } = ending;
  const texts = error === undefined ? [] : [error.message, error.advice ?? '', error.code, error.stack ?? ''];
  return findCanaries(canaries, [
    { place: 'terminal', text: world.terminal.visibleText() },
    { place: 'error', text: texts.join('\n') },
    { place: 'events of functions', text: JSON.stringify(world.invoked) },
  ]);
}
