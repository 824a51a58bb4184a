import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

import { addressesOf } from '../addresses';
import { errorBody } from '../errors';
import { sandboxApp } from '../sandbox';
import { createState, restoreState, type SandboxState, savedState } from '../sandbox-state';

/** Leaves room for the other attributes of an item, which has at most 400 KB. */
const MAX_STATE_BYTES = 390 * 1024;
/** A new AWS account runs ten processes at once, and at each attempt one of them succeeds. */
const MAX_ATTEMPTS = 25;
const JITTER_STEP_MS = 20;
const MAX_JITTER_MS = 250;

/** With the longest paths and names, what callers can make the sandbox keep fits into a fourth of an item. */
const LIMITS = { apiKeys: 500, changes: 500, countedRequests: 300, sessions: 200, tokens: 1000 };

/** A stored state. Each write has a version of its own. */
export interface StoredState {
  readonly version: string;
  readonly state: Uint8Array;
}

export interface StateStore {
  /** The last state that was written; undefined if there is none. */
  read(): Promise<StoredState | undefined>;
  /** Writes a state if the one with this version is still the last. @returns whether it was written */
  replace(version: string | undefined, next: StoredState): Promise<boolean>;
}

interface StoredSandboxOptions {
  /** Parsed as a seed, for as long as there is no state. */
  readonly seed: unknown;
  readonly store: StateStore;
  readonly onUnexpectedError: (error: Error) => void;
  /** @default Date.now */
  readonly nowMs?: () => number;
  /** Waits for a number of milliseconds. @default real time */
  readonly wait?: (ms: number) => Promise<void>;
}

/**
 * A sandbox whose state is kept outside its process: each request is handled on the stored state, and what it changes is stored
 * before its answer is sent. A request that meets another one's write is handled again, on the state after that write.
 * @see docs/decisions/0032-where-the-sandbox-keeps-its-state.md
 */
export class StoredSandbox {
  readonly #options: StoredSandboxOptions;
  readonly #seeded: string;
  #idle: Sandbox | undefined;

  /** @throws {InvalidInputError} for a faulty seed */
  constructor(options: StoredSandboxOptions) {
    this.#options = options;
    this.#seeded = savedState(createState(options.seed));
  }

  /** @param base where the sandbox is, for the addresses in its answers: an origin and a path, without a trailing slash */
  async fetch(request: Request, base: string): Promise<Response> {
    const { store, wait = sleep } = this.#options;
    const body = request.body ? await request.arrayBuffer() : undefined;
    let written: { readonly version: string; readonly answer: Response } | undefined;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const stored = await store.read();
      // The write succeeded, but its confirmation was lost and it was sent again.
      if (written && stored?.version === written.version) return written.answer;
      const { answer, state, delayMs } = await this.#handle(new Request(request, { body }), base, stored);
      if (state && state.length > MAX_STATE_BYTES) return tooLarge();
      written = { version: randomUUID(), answer };
      if (!state || (await store.replace(stored?.version, { version: written.version, state }))) {
        if (delayMs > 0) await wait(delayMs);
        return answer;
      }
      await wait(randomInt(Math.min(attempt * JITTER_STEP_MS, MAX_JITTER_MS)));
    }
    return refusal(503, 'too many requests changed the sandbox at the same time', { 'Retry-After': '1' });
  }

  /** Handles a request on a state. Returns the new state if it differs, and how long the caller has to delay the answer. */
  async #handle(request: Request, base: string, stored: StoredState | undefined) {
    const sandbox = this.#idle ?? this.#create();
    this.#idle = undefined;
    const before = stored ? inflateRawSync(stored.state).toString() : this.#seeded;
    restoreState(sandbox.state, before);
    sandbox.base = base;
    sandbox.delayMs = 0;
    const answer = withFullLocation(base, await sandbox.app.fetch(request));
    const after = savedState(sandbox.state);
    this.#idle = sandbox;
    return {
      answer,
      state: after === before ? undefined : deflateRawSync(after),
      delayMs: sandbox.delayMs,
    };
  }

  #create(): Sandbox {
    const { seed, nowMs, onUnexpectedError } = this.#options;
    const state = createState(seed, {
      nowMs,
      connectionFaults: false,
      limits: LIMITS,
      addresses: () => addressesOf(state, () => sandbox.base),
      wait: async (ms) => {
        sandbox.delayMs += ms;
        return true;
      },
    });
    const sandbox: Sandbox = { app: sandboxApp(state, onUnexpectedError), state, base: '', delayMs: 0 };
    return sandbox;
  }
}

/** A sandbox for one request at a time. Creating one takes longer than most requests. */
interface Sandbox {
  readonly app: ReturnType<typeof sandboxApp>;
  readonly state: SandboxState;
  /** Of the current request. */
  base: string;
  delayMs: number;
}

/** Puts the stage of API Gateway in front of the path of a created content. */
function withFullLocation(base: string, answer: Response): Response {
  const location = answer.headers.get('location');
  if (answer.status === 201 && location?.startsWith('/'))
    answer.headers.set('location', new URL(base).pathname.replace(/\/$/, '') + location);
  return answer;
}

function tooLarge(): Response {
  return refusal(507, 'the state of the sandbox would exceed 390 KB; POST /_sandbox/reset clears contents');
}

function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json(errorBody(status, message), { status, headers });
}
