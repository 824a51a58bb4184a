/**
 * Gives this process virtual time: its clock stands still while it works or waits for a response, and jumps to the next timer once
 * nothing else is left to do. Hours of waiting take seconds.
 */
import { subscribe } from 'node:diagnostics_channel';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';

const { setImmediate, Date: RealDate } = globalThis;

/** An arbitrary moment. */
let nowMs = RealDate.UTC(2026, 0, 5, 8);
let lastId = 0;
/** Active timers that keep the process alive. */
let awaited = 0;
/** A binary heap, by moment and order. */
const heap = [];

const isBefore = (a, b) => a.atMs < b.atMs || (a.atMs === b.atMs && a.id < b.id);

function swap(a, b) {
  [heap[a], heap[b]] = [heap[b], heap[a]];
}

function push(timer) {
  for (let at = heap.push(timer) - 1; at > 0;) {
    const up = (at - 1) >> 1;
    if (!isBefore(heap[at], heap[up])) return;
    swap(at, up);
    at = up;
  }
}

function pop() {
  swap(0, heap.length - 1);
  const first = heap.pop();
  for (let at = 0; ;) {
    const down = [2 * at + 1, 2 * at + 2].filter((each) => each < heap.length);
    const least = down.reduce((best, each) => (isBefore(heap[each], heap[best]) ? each : best), at);
    if (least === at) return first;
    swap(at, least);
    at = least;
  }
}

class Timer {
  #isActive = false;
  #isRef = true;

  constructor(run, delayMs, repeats) {
    this.run = run;
    this.delayMs = Math.max(1, Number(delayMs) || 1);
    this.repeats = repeats;
    this.schedule();
  }

  get isActive() {
    return this.#isActive;
  }

  schedule() {
    this.atMs = nowMs + this.delayMs;
    this.id = lastId += 1;
    this.#set(true, this.#isRef);
    push(this);
    wake();
  }

  cancel() {
    this.#set(false, this.#isRef);
  }

  ref() {
    this.#set(this.#isActive, true);
    return this;
  }

  unref() {
    this.#set(this.#isActive, false);
    return this;
  }

  hasRef() {
    return this.#isRef;
  }

  #set(isActive, isRef) {
    awaited += Number(isActive && isRef) - Number(this.#isActive && this.#isRef);
    this.#isActive = isActive;
    this.#isRef = isRef;
  }
}

const sleep = (delayMs, value) => new Promise((resolve) => virtual.setTimeout(resolve, delayMs, value));
const cancel = (timer) => timer?.cancel?.();
const virtual = {
  setTimeout: (run, delayMs, ...args) => new Timer(() => run(...args), delayMs, false),
  setInterval: (run, delayMs, ...args) => new Timer(() => run(...args), delayMs, true),
  clearTimeout: cancel,
  clearInterval: cancel,
};
virtual.setTimeout[promisify.custom] = sleep;
Object.assign(globalThis, virtual);
Object.assign(timers, virtual);
timersPromises.setTimeout = sleep;
globalThis.Date = class Date extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [nowMs] : args));
  }

  static now() {
    return nowMs;
  }
};

/** Requests without a response, apart from those that a server in this process holds back. */
let onTheirWay = 0;
subscribe('http.client.request.start', () => (onTheirWay += 1));
subscribe('http.client.response.finish', () => (onTheirWay -= 1));
subscribe('http.client.request.error', () => (onTheirWay -= 1));

const WORK = /^(FSReq|FileHandle|GetAddrInfo|Process|TCPConnect|Write|Shutdown|ZLIB|CloseReq)/i;
const isWorking = () => onTheirWay > 0 || process.getActiveResourcesInfo().some((name) => WORK.test(name));

/** Turns of the event loop without work after which time jumps. Data on loopback takes fewer. */
const QUIET_TURNS = 4;
let quietTurns = 0;
let turn;

function wake() {
  turn ??= setImmediate(look);
  if (awaited === 0) turn.unref();
  else turn.ref();
}

function look() {
  turn = undefined;
  quietTurns = isWorking() ? 0 : quietTurns + 1;
  while (heap.length > 0 && !heap[0].isActive) pop();
  if (quietTurns >= QUIET_TURNS && heap.length > 0) jump(pop());
  if (heap.length > 0) wake();
}

function jump(timer) {
  quietTurns = 0;
  nowMs = Math.max(nowMs, timer.atMs);
  timer.cancel();
  if (timer.repeats) timer.schedule();
  timer.run();
}

/** Holds a request back for this time, in milliseconds. */
export async function hold(delayMs) {
  onTheirWay -= 1;
  await sleep(delayMs);
  onTheirWay += 1;
}

/** Continues at the moment at which an earlier process ended, in milliseconds since 1970. */
export function continueAt(ms) {
  nowMs = Math.max(nowMs, ms);
}
