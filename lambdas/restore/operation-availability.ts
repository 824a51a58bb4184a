import { randomBytes } from 'node:crypto';

import { type Availability, type ProbeAnswer } from '../../core/restore/restore-operation';
import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { elapsedMs, type Moment, momentOf } from '../../core/calls/moment';
import {
  type Clock,
  type ContentPlatform,
  type Metrics,
  type UpstreamResult,
  type UpstreamToken,
} from '../shared/ports';
import { judgeAvailability, type ProbeResult } from './judge-availability';

/**
 * How long an answer is used before the platform is asked again. `offered`: only for a moment, because the operation may disappear,
 * and a 404 would then be blamed on the content. `refused`: not at all, because it is about one token.
 */
const REMEMBERED_MS: Readonly<Record<Availability, number>> = {
  offered: 1_000,
  absent: 10_000,
  refused: 0,
  undetermined: 10_000,
};
/** Time limit of a probe's requests, which are sent at the same time. */
const PROBE_MS = 5_000;
/** An operation of the specification. @see the platform's specification, "Acting-user object", rule 4 */
const KNOWN_PATH = '/contents/{contentId}/publish';
/** Answers that only an operation that exists can give to a valid request. */
const EVIDENCE: readonly number[] = [409, 415, 422];

export interface AvailabilityPorts {
  deployment: Pick<DeploymentFile, 'restore'>;
  platform: Pick<ContentPlatform, 'probe'>;
  clock: Clock;
  metrics: Metrics;
}

/**
 * Finds out whether the platform offers the configured restore operation, and remembers it.
 *
 * The operation gets a request that it must refuse: an invented content id, and no acting user. Its answer is compared
 * with those of operations that cannot exist and, if it is the same, of one that does. Nothing can be modified: "a failed
 * validation of the acting-user references writes nothing".
 * @see the platform's specification, "Errors", general rule 2
 * @see docs/decisions/0019-restore-availability.md
 */
export class OperationAvailability {
  private readonly ports: AvailabilityPorts;
  private lastAnswer: (ProbeAnswer & { at: Moment }) | undefined;
  /** The last value of the metric. */
  private recorded: 0 | 1 | undefined;

  constructor(ports: AvailabilityPorts) {
    this.ports = ports;
  }

  /** Notes the status of a restore, which may be evidence of the operation. Records the metric only if it changes. */
  note(status: number): void {
    if (status !== this.ports.deployment.restore.successStatus && !EVIDENCE.includes(status)) return;
    this.remember({ availability: 'offered', reason: `it answered a restore with ${status}` });
    if (this.recorded !== 0) this.record('offered');
  }

  /** @param deadlineMs by the monotonic clock; without enough time, the answer is `undetermined` */
  async find(token: UpstreamToken, deadlineMs: number): Promise<ProbeAnswer> {
    const remembered = this.remembered();
    if (remembered !== undefined) return remembered;
    const { clock } = this.ports;
    if (deadlineMs - clock.monotonicMs() < 2 * PROBE_MS) {
      return { availability: 'undetermined', reason: 'no time was left to find out' };
    }
    const answer = this.remember(await this.probe(token));
    this.record(answer.availability);
    return answer;
  }

  private remembered(): ProbeAnswer | undefined {
    if (this.lastAnswer === undefined) return undefined;
    const { at, ...answer } = this.lastAnswer;
    return elapsedMs(at, momentOf(this.ports.clock)) < REMEMBERED_MS[answer.availability]
      ? answer
      : undefined;
  }

  private remember(answer: ProbeAnswer): ProbeAnswer {
    this.lastAnswer = { ...answer, at: momentOf(this.ports.clock) };
    return answer;
  }

  private record(availability: Availability): void {
    if (availability !== 'offered' && availability !== 'absent') return;
    const { deployment, metrics } = this.ports;
    this.recorded = (availability === 'offered') === deployment.restore.available ? 0 : 1;
    metrics.count('RestoreAvailabilityMismatch', this.recorded);
  }

  private async probe(token: UpstreamToken): Promise<ProbeAnswer> {
    const { path } = this.ports.deployment.restore;
    const suffixes = [`-${inventedHex(8)}`, `-${inventedHex(8)}`];
    const [restore, ...unknown] = await Promise.all([
      this.ask(path, token),
      ...suffixes.map((suffix) => this.ask(unknownPath(path, suffix), token, suffix)),
    ]);
    const verdict = judgeAvailability(restore, unknown);
    if (verdict !== 'compare') return verdict;
    // With the answer for a known operation, there is nothing more to compare with.
    return judgeAvailability(restore, unknown, await this.ask(KNOWN_PATH, token)) as ProbeAnswer;
  }

  /** @param suffix the part of the path that names an operation that does not exist */
  // Stryker disable next-line StringLiteral: no answer contains the mutant's text
  private async ask(path: string, token: UpstreamToken, suffix = ''): Promise<ProbeResult> {
    const { platform, clock } = this.ports;
    const probedPath = path.replace('{contentId}', inventedHex(12));
    const result: UpstreamResult = await platform.probe(probedPath, token, clock.monotonicMs() + PROBE_MS);
    return { path: probedPath, suffix, result };
  }
}

/** The path of an operation that does not exist. The suffix is where the operation is named, and never part of the id. */
function unknownPath(path: string, suffix: string): string {
  const [route, query] = path.split('?') as [string, string?];
  if (!route.endsWith('{contentId}')) {
    return query === undefined ? `${route}${suffix}` : `${route}${suffix}?${query}`;
  }
  if (query !== undefined) return `${path}${suffix}`;
  return route.replace(/\/[^/]*$/, (last) => `${suffix}${last}`).replace(/^(?!\/)/, '/');
}

/** Looks like a content id of the platform, and is none. */
function inventedHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
