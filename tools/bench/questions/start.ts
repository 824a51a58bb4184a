import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { count, median } from '../figures';
import { type Answer, type BenchOptions, roundsOf } from '../question';

const ROOT = join(__dirname, '../../..');
const EXAMPLE_LIMIT_SEC = 4;
const MANY_LIMIT_SEC = 30;
const MEMORY_LIMIT_MB = 1_500;
const SAMPLE_INTERVAL_MS = 500;

interface OnceRun {
  sec: number;
  /** Most memory of all its processes together. Undefined where the system has no `/proc`. */
  peakMb?: number;
}

/** Measures `npm start -- --once`, without npm: with the example, and with many tenants. */
export async function start(options: BenchOptions): Promise<Answer> {
  const tenants = options.isQuick ? 10 : 1_000;
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'));
  try {
    // The first run builds what changed.
    await runOnce(folder);
    const example: OnceRun[] = [];
    const rounds = roundsOf(options, 5, 1);
    for (let round = 1; round <= rounds; round += 1) {
      options.progress(`start: round ${round} of ${rounds}`);
      example.push(await runOnce(folder));
    }
    options.progress(`start: ${count(tenants)} tenants`);
    const file = join(folder, 'configuration.json');
    writeFileSync(file, JSON.stringify(manyTenants(tenants)));
    const sec = median(example.map((each) => each.sec));
    const peaksMb = example.flatMap(({ peakMb }) => peakMb ?? []);
    return answerOf(
      { sec, ...(peaksMb.length > 0 && { peakMb: median(peaksMb) }) },
      tenants,
      await runOnce(folder, '--config', file),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @throws {Error} with its output, if it fails */
async function runOnce(folder: string, ...args: readonly string[]): Promise<OnceRun> {
  const startedMs = performance.now();
  const child = spawn(
    process.execPath,
    [join(ROOT, 'bin/start.cjs'), '--once', '--state-dir', join(folder, 'state'), ...args],
    { cwd: ROOT },
  );
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
  }
  let peakMb: number | undefined;
  const sampling = setInterval(() => {
    const mb = memoryMb(child.pid!);
    if (mb !== undefined) peakMb = Math.max(peakMb ?? 0, mb);
  }, SAMPLE_INTERVAL_MS);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(sampling);
  if (code !== 0) throw new Error(`npm start -- --once failed:\n${printed}`);
  return { sec: (performance.now() - startedMs) / 1000, ...(peakMb !== undefined && { peakMb }) };
}

/** Memory of a process and its descendants in MB; pages that processes share count once. */
function memoryMb(root: number): number | undefined {
  const children = new Map<number, number[]>();
  for (const name of entriesOf('/proc')) {
    // "PID (NAME) STATE PARENT …"; the name can contain anything.
    const parent = textOf(`/proc/${name}/stat`)
      ?.replace(/^.*\) /s, '')
      .split(' ')[1];
    if (parent !== undefined)
      children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(name)]);
  }
  const family = [root];
  for (const pid of family) family.push(...(children.get(pid) ?? []));
  const kb = family.flatMap(
    (pid) => /^Pss:\s+(\d+)/m.exec(textOf(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? [],
  );
  return kb.length === 0 ? undefined : kb.reduce((sum, each) => sum + Number(each), 0) / 1024;
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Undefined if the process has ended, or its memory cannot be read. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function answerOf(example: OnceRun, tenants: number, many: OnceRun): Answer {
  const seconds = (sec: number) => `${sec.toFixed(1)} s`;
  const memory = ({ peakMb }: OnceRun) => (peakMb === undefined ? '–' : `${peakMb.toFixed(0)} MB`);
  const goal = (subject: string, wanted: string, measured: string, isMet: boolean) => ({
    number: 18,
    subject,
    wanted,
    measured,
    isMet,
    isTimed: true,
  });
  return {
    tables: [
      {
        title: 'Start: `npm start -- --once`, without npm',
        columns: ['configuration', 'time', 'most memory, all processes'],
        rows: [
          ['config/local.json', seconds(example.sec), memory(example)],
          [`${count(tenants)} tenants with three tokens each`, seconds(many.sec), memory(many)],
        ],
      },
    ],
    goals: [
      goal(
        '`--once` of the example',
        `< ${EXAMPLE_LIMIT_SEC} s`,
        seconds(example.sec),
        example.sec < EXAMPLE_LIMIT_SEC,
      ),
      goal(
        `\`--once\` of ${count(tenants)} tenants`,
        `< ${MANY_LIMIT_SEC} s`,
        seconds(many.sec),
        many.sec < MANY_LIMIT_SEC,
      ),
      goal(
        `… its memory`,
        `< ${count(MEMORY_LIMIT_MB)} MB`,
        memory(many),
        (many.peakMb ?? 0) < MEMORY_LIMIT_MB,
      ),
    ],
  };
}

/** A configuration of one deployment with so many tenants, with three tokens each. */
function manyTenants(count: number): object {
  const base = 'https://127.0.0.1:8443/staging/global';
  const addresses = {
    contentBaseUrl: `${base}/rest/v1`,
    contentTokenBaseUrl: `${base}/auth`,
    webhooksBaseUrl: `${base}/webhooks/v1`,
    webhooksTokenBaseUrl: `${base}/webhooks-auth`,
  };
  const tokens = [
    { interface: 'content', scope: 'api/read' },
    { interface: 'content', scope: 'api/write' },
    { interface: 'webhooks', scope: 'api/webhooks' },
  ];
  const tenants = Array.from({ length: count }, (_, n) => ({ tenantId: `eu-west-2_Bench${n}`, tokens }));
  const deployment = {
    environment: 'staging',
    platformRegion: 'global',
    restore: { available: true },
    tenants,
  };
  return { local: true, endpoints: { staging: { global: addresses } }, deployments: [deployment] };
}
