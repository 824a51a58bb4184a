import { type Probe, type Seen } from '../probes/probe';
import { type DeployedLatchkey } from '../probes/system';
import { AccountSystem } from './account-system';
import { type Ports } from './ports';

/** What a probe saw, and how long it took. */
export interface ProbeResult extends Seen {
  readonly id: string;
  readonly seconds: number;
}

/** What probes look at. */
export interface Probed {
  readonly ports: Ports;
  readonly prefix: string;
  /** Undefined if none is deployed. */
  readonly latchkey: DeployedLatchkey | undefined;
  /** Aborted to stop before the next probe. */
  readonly signal: AbortSignal;
  /** A probe failed. The error can contain what results must not. */
  readonly onError?: (id: string, error: Error) => void;
}

/** Runs probes one after another. @param onResult called after each */
export async function runProbes(
  probes: readonly Probe[],
  { ports, prefix, latchkey, signal, onError }: Probed,
  onResult: (result: ProbeResult) => void = () => undefined,
): Promise<ProbeResult[]> {
  const results: ProbeResult[] = [];
  for (const probe of probes) {
    if (signal.aborted) break;
    const begun = await ports.time.now();
    const isPossible = probe.needs !== 'latchkey' || latchkey !== undefined;
    const system = new AccountSystem(
      ports,
      `${prefix}-${probe.id}`,
      probe.needs === 'latchkey' ? latchkey : undefined,
    );
    const looked = isPossible
      ? await look(probe, system, onError)
      : { verdict: 'not run' as const, seen: 'needs a deployment' };
    // Commands and waits of the probe ended early, so what it saw tells nothing about AWS.
    const seen = signal.aborted ? { verdict: 'not run' as const, seen: 'interrupted' } : looked;
    const seconds = Math.round(((await ports.time.now()).getTime() - begun.getTime()) / 1000);
    const result = { id: probe.id, ...seen, seconds };
    results.push(result);
    onResult(result);
  }
  return results;
}

/** An error's message can contain ARNs and account numbers, so only its name is shown. */
async function look(probe: Probe, system: AccountSystem, onError: Probed['onError']): Promise<Seen> {
  try {
    return await probe.look(system);
  } catch (error) {
    onError?.(probe.id, error as Error);
    const { name, stack = '' } = error as Error;
    const [, place = ''] = /\/(probes\/[\w/-]+\.ts:\d+)/.exec(stack) ?? [];
    return { verdict: 'not run', seen: [`failed with ${name}`, place].filter(Boolean).join(' at ') };
  } finally {
    await system.end();
  }
}
