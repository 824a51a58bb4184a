import { mapInTurn } from '../../contract/map-in-turn';
import { CommandError } from '../command-error';
import { type RestoreAnswer, type RestoreFailure } from './answer';
import { type AuthorizedHeaders } from './authorizer';
import { type RestoreItem } from './item';
import { failureOf } from './outcome-kinds';
import { type Pace, type Wait } from './pace';
import { type RestoreClient } from './restore-client';
import { type Results } from './results';

/** Attempts per content in a run, while nothing was modified. */
const MAX_TRIES = 3;
/** After this many contents in a row without a usable answer, the contents are not at fault. */
const MAX_LOST_IN_A_ROW = 5;
/** After this many answers that blame the content or the operation, and no restore that reached the operation. */
const MAX_AMBIGUOUS = 3;
const FIRST_BACKOFF_MS = 500;
/** How often the remaining wait is reported. */
const WAIT_TOLD_EVERY_MS = 1_000;

interface BulkPorts {
  readonly client: Pick<RestoreClient, 'authorize' | 'renew' | 'post'>;
  readonly results: Pick<Results, 'begin' | 'settle' | 'record'>;
  readonly pace: Pick<Pace, 'waitMs' | 'accepted' | 'slowDown'>;
  readonly nowMs: () => number;
  /** Ends early when interrupted. */
  readonly sleep: (ms: number) => Promise<void>;
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number;
  /** Once aborted, no further request is sent. */
  readonly interrupted: AbortSignal;
  /** Called for each content once its outcome is recorded. */
  readonly onRecorded: (answer: RestoreAnswer) => void;
  /** Called each second of a wait, and with undefined when it is over. */
  readonly onWaiting: (wait: Wait | undefined) => void;
  /** Makes the error that ends a run, after an answer that every other content would also get. */
  readonly stopFor: (failure: RestoreFailure) => CommandError;
}

interface Sent {
  answer: RestoreAnswer;
  headers: AuthorizedHeaders;
  sentAtMs: number;
}

/** The failed attempts of a content, and the headers that were refused. */
interface Tries {
  failed: number;
  refused: AuthorizedHeaders | undefined;
}

/** Restores many contents in parallel. A content whose outcome may be unknown is never sent again. */
export class BulkRun {
  readonly #ports: BulkPorts;
  readonly #items: readonly RestoreItem[];
  #lostInARow = 0;
  #ambiguous = 0;
  /** Detail of the last throttled answer. */
  #throttleDetail = '';
  /** The one wait that all requests share. */
  #waiting: Promise<void> | undefined;
  /** Contents that were not found since the operation worked last: it may have disappeared. */
  #notFound: RestoreItem[] = [];
  /** The answer that the platform does not offer restore. */
  #absent: RestoreFailure | undefined;
  /** Whether the platform has processed any content; if so, a refusal is specific to its content. */
  #hasWorked = false;
  #stop: { readonly reason: unknown } | undefined;
  /** Resolves when the run stops, which ends all waits. */
  readonly #stopped: Promise<void>;
  #endWaits!: () => void;

  constructor(ports: BulkPorts, items: readonly RestoreItem[]) {
    this.#ports = ports;
    this.#items = items;
    this.#stopped = new Promise((resolve) => (this.#endWaits = resolve));
  }

  /**
   * Sends all requests, and waits for those in flight.
   * @param parallel maximum requests in flight
   * @returns why it stopped; undefined if it finished or was interrupted
   * @throws any unexpected error of a port, once nothing is in flight
   */
  async run(parallel: number): Promise<CommandError | undefined> {
    await mapInTurn(this.#items, parallel, async (item) => {
      if (this.#goesOn) await this.#restore(item);
    });
    if (this.#stop === undefined) return undefined;
    const { reason } = this.#stop;
    if (reason instanceof CommandError) return reason;
    throw reason;
  }

  get #goesOn(): boolean {
    return this.#stop === undefined && !this.#ports.interrupted.aborted;
  }

  /** Tries one content until it has an outcome, or the run ends. */
  async #restore(item: RestoreItem): Promise<void> {
    const { results } = this.#ports;
    const tries: Tries = { failed: 0, refused: undefined };
    let answer: RestoreAnswer | undefined;
    try {
      for (;;) {
        const sent = await this.#send(item, tries.refused);
        // The run ends; an earlier answer counts.
        if (sent === undefined) break;
        answer = sent.answer;
        const waitMs = this.#waitBeforeNext(sent, tries);
        if (waitMs === undefined) break;
        await results.settle(item, answer);
        await this.#wait(waitMs);
      }
      if (answer === undefined) return;
      await results.record(item, answer);
      this.#ports.onRecorded(answer);
      this.#judge(answer);
      if (answer.outcome === 'content_not_found') this.#notFound.push(item);
      if (answer.outcome === 'restore_unavailable') this.#absent = answer;
      if (this.#absent !== undefined) await this.#reopenNotFound(this.#absent);
    } catch (error) {
      this.#end(error);
    }
  }

  /**
   * Restore is absent, so the next run sends the last contents that were not found again. Also those whose answer arrives
   * later: each process of the restore function notices by itself that restore disappeared.
   */
  async #reopenNotFound(answer: RestoreFailure): Promise<void> {
    for (const item of this.#notFound.splice(0)) {
      await this.#ports.results.record(item, { ...answer, outcome: 'content_or_operation_not_found' });
    }
  }

  /** Sends one request; undefined if the run ends first. */
  async #send(item: RestoreItem, refused: AuthorizedHeaders | undefined): Promise<Sent | undefined> {
    const { client, results, pace, nowMs } = this.#ports;
    while (pace.waitMs > 0 && this.#goesOn) {
      await (this.#waiting ??= this.#waitForPace().finally(() => (this.#waiting = undefined)));
    }
    if (!this.#goesOn) return undefined;
    const headers = await this.#authorize(item, refused);
    if (headers === undefined || !this.#goesOn) return undefined;
    await results.begin(item);
    const sentAtMs = nowMs();
    return { answer: await client.post(item, headers), headers, sentAtMs };
  }

  /** Undefined without a token or AWS identity, or if interrupted: then no other content can be sent either. */
  async #authorize(
    item: RestoreItem,
    refused: AuthorizedHeaders | undefined,
  ): Promise<AuthorizedHeaders | undefined> {
    const { client, interrupted } = this.#ports;
    try {
      if (refused !== undefined) await client.renew(refused);
      return await client.authorize(item);
    } catch (error) {
      if (!interrupted.aborted) this.#end(error);
      return undefined;
    }
  }

  /** How long to wait before a retry, in ms; undefined for no retry. */
  #waitBeforeNext({ answer, headers, sentAtMs }: Sent, tries: Tries): number | undefined {
    if (answer.outcome === 'restored') return undefined;
    const { pace, random } = this.#ports;
    switch (failureOf(answer.outcome).kind) {
      case 'throttled':
        this.#throttleDetail = answer.detail;
        return pace.slowDown(sentAtMs, answer.retryAfterMs) ? 0 : undefined;
      case 'transient':
        tries.failed += 1;
        return tries.failed < MAX_TRIES ? random() * FIRST_BACKOFF_MS * 2 ** tries.failed : undefined;
      case 'everyone':
        if (answer.outcome !== 'unauthorized' || tries.refused !== undefined) return undefined;
        tries.refused = headers;
        return 0;
      default:
        return undefined;
    }
  }

  /** Ends the run if every other content would have the same outcome. */
  #judge(answer: RestoreAnswer): void {
    const { pace, stopFor, interrupted } = this.#ports;
    const kind = answer.outcome === 'restored' ? 'content' : failureOf(answer.outcome).kind;
    const isLost = kind === 'transient' || kind === 'unknown';
    this.#lostInARow = isLost ? this.#lostInARow + 1 : 0;
    if (kind !== 'throttled') pace.accepted();
    if (kind === 'content' || kind === 'needless') this.#hasWorked = true;
    if (kind === 'needless' || ['restored', 'rejected_by_platform'].includes(answer.outcome))
      this.#notFound = [];
    if (kind === 'ambiguous') this.#ambiguous += 1;
    if (answer.outcome === 'restored') return;
    const isForAll =
      kind === 'everyone' ||
      kind === 'throttled' ||
      (kind === 'access' && !this.#hasWorked) ||
      (kind === 'ambiguous' && !this.#hasWorked && this.#ambiguous >= MAX_AMBIGUOUS) ||
      this.#lostInARow >= MAX_LOST_IN_A_ROW;
    // After an interruption, ignore faults that a wait or a renewal might have fixed.
    if (isForAll && !interrupted.aborted) this.#end(stopFor(answer));
  }

  async #waitForPace(): Promise<void> {
    const { pace, onWaiting } = this.#ports;
    while (pace.waitMs > 0 && this.#goesOn) {
      onWaiting({ waitMs: pace.waitMs, detail: this.#throttleDetail });
      await this.#wait(Math.min(pace.waitMs, WAIT_TOLD_EVERY_MS));
    }
    onWaiting(undefined);
  }

  async #wait(ms: number): Promise<void> {
    if (ms > 0) await Promise.race([this.#ports.sleep(ms), this.#stopped]);
  }

  #end(reason: unknown): void {
    this.#stop ??= { reason };
    this.#endWaits();
  }
}
