import { type ClientRequest } from 'node:http';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

import { priceOfFlood } from '../../../lib/costs/monthly-price';
import { pass } from '../../../test/faults/support/aws-gate';
import { AttackedRestoreApi, USUAL_LIMITS } from '../attacked-restore-api';
import { count, milliseconds, percentile } from '../figures';
import { ALL_NAMES, type Flood, type FloodRequest, JUNK, MADE_UP_NAMES, OWN_NAME } from '../floods';
import { type Answer, type BenchOptions, type Goal, roundsOf } from '../question';

const TENANT_PER_SEC = 4;
const FLOOD_PER_SEC = 15;
const SLOW_CONNECTIONS = 100;
/** Restored, or refused by the platform because the content was restored before. */
const ANSWERED = [200, 409];
const SERVED = 0.99;
const CALLS_LIMIT = 2;

interface Attack {
  name: string;
  flood: Flood | undefined;
  /** @default {@link FLOOD_PER_SEC} */
  floodPerSec?: number;
  hasSlowBodies?: boolean;
  /** Whether Secrets Manager throttles a call of the authorizer. */
  isThrottled?: (elapsedMs: number) => boolean;
}

const THROTTLED_CALLS = 'made-up names, a quarter of the calls throttled';

const ATTACKS: readonly Attack[] = [
  { name: 'none', flood: undefined },
  { name: OWN_NAME.name, flood: OWN_NAME },
  { name: MADE_UP_NAMES.name, flood: MADE_UP_NAMES },
  { name: ALL_NAMES.name, flood: ALL_NAMES },
  { name: JUNK.name, flood: JUNK },
  { name: `${SLOW_CONNECTIONS} bodies of one byte a second`, flood: undefined, hasSlowBodies: true },
  { name: THROTTLED_CALLS, flood: MADE_UP_NAMES, isThrottled: everyFourthCall() },
  {
    name: 'made-up names, all calls throttled for 4 s of every 8 s',
    flood: MADE_UP_NAMES,
    isThrottled: (elapsedMs) => elapsedMs % 8_000 >= 4_000,
  },
  { name: 'made-up names, 60 a second: above the limit', flood: MADE_UP_NAMES, floodPerSec: 60 },
];

/** What an attack did. */
interface Measured {
  attack: Attack;
  tenant: Sent[];
  flood: Sent[];
  calls: number;
  reads: number;
  tookMs: number;
}

/** A request that was answered. Status 0 is a broken connection. */
interface Sent {
  status: number;
  tookMs: number;
}

/** Attacks the restore API of a laptop system while one tenant uses it. */
export async function flood(options: BenchOptions): Promise<Answer> {
  options.progress('flood: starting a restore API');
  const api = await AttackedRestoreApi.start();
  try {
    const seconds = roundsOf(options, 24, 3);
    const measured: Measured[] = [];
    for (const attack of ATTACKS) {
      options.progress(`flood: ${attack.name}, ${seconds} s`);
      measured.push(await measure(api, attack, seconds));
    }
    return { tables: [tableOf(measured, seconds)], goals: goalsOf(measured) };
  } finally {
    await api.stop();
  }
}

async function measure(api: AttackedRestoreApi, attack: Attack, seconds: number): Promise<Measured> {
  const restore = await api.restoreOf();
  await api.startAnew();
  // The tenant is being served when the attack begins.
  const status = await api.send(restore);
  if (status !== 200) throw new Error(`the restore before the attack was answered ${status}`);
  api.gate.calls.length = 0;
  const startedMs = performance.now();
  const { isThrottled } = attack;
  api.gate.intercept = (call, held) =>
    isThrottled?.(performance.now() - startedMs) ? held.answer(THROTTLED) : pass(call, held);
  const slow = attack.hasSlowBodies ? slowBodies(api) : undefined;
  const [tenant, flood] = await Promise.all([
    atRate(TENANT_PER_SEC, seconds, () => send(api, restore)),
    attack.flood === undefined
      ? []
      : atRate(attack.floodPerSec ?? FLOOD_PER_SEC, seconds, (n) =>
          send(api, attack.flood!.request(n, api.tenantIds)),
        ),
  ]);
  slow?.stop();
  const tookMs = performance.now() - startedMs;
  if (flood.some(({ status }) => ANSWERED.includes(status))) throw new Error(`${attack.name}: let through`);
  const { calls } = api.gate;
  const reads = calls.filter(({ operation }) => operation === 'GetSecretValue').length;
  return { attack, tenant, flood, calls: calls.length, reads, tookMs };
}

const THROTTLED = {
  status: 400,
  headers: { 'content-type': 'application/x-amz-json-1.1' },
  body: Buffer.from('{"__type":"ThrottlingException"}'),
};

/** Throttles a quarter of the calls, in an order without a pattern that is the same in every run. */
function everyFourthCall(): () => boolean {
  let state = 1;
  return () => {
    // Numerical Recipes' linear congruential generator.
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state < 2 ** 30;
  };
}

/** Starts a request at each turn, whether or not earlier ones were answered, and waits for all answers. */
async function atRate(perSec: number, seconds: number, start: (n: number) => Promise<Sent>): Promise<Sent[]> {
  const startedMs = performance.now();
  const sent: Promise<Sent>[] = [];
  for (let n = 0; n < perSec * seconds; n += 1) {
    await sleep(Math.max(0, startedMs + (n * 1_000) / perSec - performance.now()));
    sent.push(start(n));
  }
  return Promise.all(sent);
}

async function send(api: AttackedRestoreApi, sent: FloodRequest): Promise<Sent> {
  const startedMs = performance.now();
  const status = await api.send(sent).catch(() => 0);
  return { status, tookMs: performance.now() - startedMs };
}

/** Requests with a wrong token whose bodies never end. */
function slowBodies({ url, ca, tenantIds }: AttackedRestoreApi): { stop: () => void } {
  const requests = Array.from({ length: SLOW_CONNECTIONS }, (_, n): ClientRequest => {
    const { path, headers } = OWN_NAME.request(2 * n + 1, tenantIds);
    const sent = request(`${url}${path}`, {
      method: 'POST',
      ca,
      agent: false,
      headers: { ...headers, 'content-length': '100000' },
    });
    sent.on('error', () => undefined);
    return sent;
  });
  const writing = setInterval(() => requests.forEach((sent) => sent.write(' ')), 1_000);
  return {
    stop: () => {
      clearInterval(writing);
      requests.forEach((sent) => sent.destroy());
    },
  };
}

const servedShare = ({ tenant }: Measured) =>
  tenant.filter(({ status }) => ANSWERED.includes(status)).length / tenant.length;
const callsPer1000 = ({ calls, tenant, flood }: Measured) => (calls * 1_000) / (tenant.length + flood.length);

function tableOf(measured: readonly Measured[], seconds: number) {
  return {
    title:
      `One tenant with ${TENANT_PER_SEC} requests a second, attacked for ${seconds} s` +
      ` with ${FLOOD_PER_SEC} more a second; limit ${USUAL_LIMITS.rateLimit}`,
    columns: [
      ...['attack', 'tenant answered', 'median', '99th percentile', 'answers to the flood'],
      ...['AWS calls a minute', 'per 1,000 requests', 'USD a day at 20/s'],
    ],
    rows: measured.map((each) => {
      const times = each.tenant.map(({ tookMs }) => tookMs);
      return [
        each.attack.name,
        percent(servedShare(each)),
        milliseconds(percentile(times, 0.5)),
        milliseconds(percentile(times, 0.99)),
        statusesOf(each.flood),
        count(Math.round((each.calls * 60_000) / each.tookMs)),
        count(Math.round(callsPer1000(each))),
        usdPerDay(each).toFixed(2),
      ];
    }),
  };
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function statusesOf(sent: readonly Sent[]): string {
  const counts = new Map<number, number>();
  for (const { status } of sent) counts.set(status, (counts.get(status) ?? 0) + 1);
  const sorted = [...counts].sort(([a], [b]) => a - b);
  return sorted.map(([status, times]) => `${count(times)} × ${status}`).join(', ') || '–';
}

/** The price of the measured calls, as if each second had twenty requests. */
function usdPerDay({ calls, reads, tenant, flood }: Measured): number {
  const requests = 20 * 86_400;
  const scale = requests / (tenant.length + flood.length);
  return priceOfFlood({ requests, secretCalls: calls * scale, secretReads: reads * scale });
}

function goalsOf(measured: readonly Measured[]): Goal[] {
  const of = (name: string) => measured.find(({ attack }) => attack.name === name)!;
  const calls = callsPer1000(of(MADE_UP_NAMES.name)) / callsPer1000(of(OWN_NAME.name));
  return [
    ...[OWN_NAME.name, MADE_UP_NAMES.name, THROTTLED_CALLS].map((name) => {
      const share = servedShare(of(name));
      return {
        number: 14,
        subject: `the tenant is answered: ${name}`,
        wanted: `>= ${percent(SERVED)}`,
        measured: percent(share),
        isMet: share >= SERVED,
        isTimed: false,
      };
    }),
    {
      number: 15,
      subject: 'AWS calls with made-up names, against one name',
      wanted: `<= ${CALLS_LIMIT}x`,
      measured: `${calls.toFixed(2)}x`,
      isMet: calls <= CALLS_LIMIT,
      isTimed: false,
    },
  ];
}
