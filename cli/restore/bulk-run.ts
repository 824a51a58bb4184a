import { once } from 'node:events';

import { mapConcurrently } from '../../core/calls/map-concurrently';
import { MAX_RETRY_AFTER_MS } from '../../core/calls/retry-after';
import { CommandError } from '../command-error';
import { type RestoreAnswer, type RestoreFailure } from './answer';
import { type AuthorizedHeaders } from './authorizer';
import { type RestoreItem } from './item';
import { kindOf } from './outcome-kinds';
import { type RunProgress } from './progress';
import { type RestoreClient } from './restore-client';
import { type Results } from './results';

/** Attempts per content in a run, while nothing was modified. */
const MAX_TRIES = 3;
/** After this many contents in a row without a usable answer, the contents are not at fault. */
const MAX_LOST_IN_A_ROW = 5;
/** After this many answers that blame the content or the operation, it is the operation, unless the platform has processed a content. */
const MAX_AMBIGUOUS = 3;
const FIRST_BACKOFF_MS = 500;
/** Pauses in a row without an accepted request, about three minutes in all: more are useless. */
const MAX_PAUSES = 8;
const FIRST_PAUSE_MS = 1_000;

interface BulkPorts {
  readonly client: Pick<RestoreClient, 'authorize' | 'renew' | 'post'>;
  readonly results: Pick<Results, 'begin' | 'record'>;
  readonly progress: Pick<RunProgress, 'recorded' | 'pausing' | 'resumed'>;
  /** Rejects only when interrupted. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Once aborted, no further request is sent. */
  readonly interrupted: AbortSignal;
  /** Makes the error that ends a run, after an answer that every other content would also get. */
  readonly stopFor: (failure: RestoreFailure) => CommandError;
}

/** Restores many contents in parallel. A content whose outcome may be unknown is never sent again. */
export class BulkRun {
  readonly #ports: BulkPorts;
  /** Aborted with the reason if the run stops early. */
  readonly #stop = new AbortController();
  /** Aborted if the run stops early or is interrupted. */
  readonly #over: AbortSignal;
  /** Resolves once the run is over, which ends all waits. */
  readonly #ended: Promise<unknown>;
  /** The pause that all requests share after one was throttled. */
  #pause: Promise<void> | undefined;
  #pausesBegun = 0;
  #pausesInARow = 0;
  #lostInARow = 0;
  #ambiguous = 0;
  /** Whether the platform has processed any content; if so, a refusal is specific to its content. */
  #hasWorked = false;

  constructor(ports: BulkPorts) {
    this.#ports = ports;
    this.#over = AbortSignal.any([ports.interrupted, this.#stop.signal]);
    this.#ended = once(this.#over, 'abort');
  }

  /**
   * Sends all requests, and waits for those in flight.
   * @param parallel maximum requests in flight
   * @returns why it stopped; undefined if it finished or was interrupted
   * @throws any unexpected error of a port, once nothing is in flight
   */
  async run(items: readonly RestoreItem[], parallel: number): Promise<CommandError | undefined> {
    await mapConcurrently(items, parallel, (item) =>
      this.#restore(item).catch((error) => this.#stop.abort(error)),
    );
    if (!this.#stop.signal.aborted) return undefined;
    const reason: unknown = this.#stop.signal.reason;
    if (reason instanceof CommandError) return reason;
    throw reason;
  }

  /** Tries one content until it has an outcome, or the run ends. */
  async #restore(item: RestoreItem): Promise<void> {
    const { client, results, progress } = this.#ports;
    let answer: RestoreAnswer | undefined;
    let refused: AuthorizedHeaders | undefined;
    let failures = 0;
    for (;;) {
      const headers = await this.#authorize(item, refused);
      // The run ends; an earlier answer counts.
      if (headers === undefined) break;
      results.begin(item);
      const pausesBefore = this.#pausesBegun;
      answer = await client.post(item, headers);
      results.record(item, answer);
      if (answer.outcome === 'restored') break;
      const kind = kindOf(answer.outcome);
      if (kind === 'transient') failures += 1;
      if (answer.outcome === 'unauthorized' && refused === undefined) refused = headers;
      else if (kind === 'transient' && failures < MAX_TRIES)
        await this.#wait(FIRST_BACKOFF_MS * 2 ** (failures - 1));
      else if (kind !== 'throttled' || !this.#slowDown(pausesBefore, answer)) break;
    }
    if (answer === undefined) return;
    progress.recorded(answer);
    this.#judge(answer);
  }

  /** The headers of the next request, once it may be sent; undefined if the run ends first. */
  async #authorize(
    item: RestoreItem,
    refused: AuthorizedHeaders | undefined,
  ): Promise<AuthorizedHeaders | undefined> {
    const { client, interrupted } = this.#ports;
    while (this.#pause !== undefined && !this.#over.aborted) await this.#pause;
    if (this.#over.aborted) return undefined;
    try {
      if (refused !== undefined) await client.renew(refused);
      const headers = await client.authorize(item);
      return this.#over.aborted ? undefined : headers;
    } catch (error) {
      // Without a token or AWS identity, no other content can be sent either.
      if (!interrupted.aborted) this.#stop.abort(error);
      return undefined;
    }
  }

  /** Ends the run if every other content would have the same outcome. */
  #judge(answer: RestoreAnswer): void {
    const { stopFor, interrupted } = this.#ports;
    const kind = kindOf(answer.outcome);
    this.#lostInARow = kind === 'transient' || kind === 'unknown' ? this.#lostInARow + 1 : 0;
    if (kind !== 'throttled') this.#pausesInARow = 0;
    if (['restored', 'content', 'needless'].includes(kind)) this.#hasWorked = true;
    if (kind === 'ambiguous') this.#ambiguous += 1;
    const isForAll =
      kind === 'everyone' ||
      kind === 'throttled' ||
      this.#lostInARow >= MAX_LOST_IN_A_ROW ||
      (!this.#hasWorked && (kind === 'access' || this.#ambiguous >= MAX_AMBIGUOUS));
    // After an interruption, ignore faults that a wait or a renewal might have fixed.
    if (answer.outcome !== 'restored' && isForAll && !interrupted.aborted) this.#stop.abort(stopFor(answer));
  }

  /**
   * Pauses all requests. The pause doubles each time in a row, and is at least as long as each throttled answer asks.
   * @param pausesBefore pauses that had begun when the request was sent. If another has begun since, this answer does not double it
   * @returns false if more pauses are useless
   */
  #slowDown(pausesBefore: number, { detail, retryAfterMs = 0 }: RestoreFailure): boolean {
    const { progress } = this.#ports;
    if (pausesBefore === this.#pausesBegun) this.#pausesInARow += 1;
    if (this.#pausesInARow > MAX_PAUSES) return false;
    const ownMs = Math.min(FIRST_PAUSE_MS * 2 ** (this.#pausesInARow - 1), MAX_RETRY_AFTER_MS);
    const pauseMs = Math.max(ownMs, retryAfterMs);
    if (this.#pause === undefined) this.#pausesBegun += 1;
    progress.pausing(pauseMs, detail);
    const pause: Promise<void> = Promise.all([this.#pause, this.#wait(pauseMs)]).then(() => {
      // Another answer has extended it.
      if (this.#pause !== pause) return;
      this.#pause = undefined;
      progress.resumed();
    });
    this.#pause = pause;
    return true;
  }

  async #wait(ms: number): Promise<void> {
    await Promise.race([this.#ports.sleep(ms).catch(() => undefined), this.#ended]);
  }
}
