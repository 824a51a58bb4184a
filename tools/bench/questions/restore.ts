import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { tokenSecretName } from '../../../contract/secret-names';
import { buildFunction } from '../build';
import { count, median, milliseconds, nanoseconds, percentile, ratio } from '../figures';
import { LoopbackContentPlatform } from '../loopback/content-platform';
import { LoopbackSecretsManager } from '../loopback/loopback-secrets-manager';
import { nodeBinaries } from '../cold-process';
import { MEASURED_KEY, measuredDeployment, measuredTokenValue } from '../measured-key';
import { Program } from '../child-program';
import { type BenchOptions, type Answer, type Goal, roundsOf, type Table } from '../question';

/** Names of candidates in the programs. */
const OURS = 'latchkey restore';
const POWERTOOLS = 'middy + Powertools logger + metrics + zod';
const CPU_LIMIT = 'LIMIT: JSON.parse + token + JSON.stringify';
const LOOPBACK_LIMIT = 'LIMIT: bare undici Client.request';
const BARE_HTTPS = 'bare node:https with the same log lines';
const BARE_UNDICI = 'bare undici Client.request with the same log lines';
const BARE_FETCH = 'bare global fetch';

/** The limit for hostile input at the 99th percentile. */
const HOSTILE_LIMIT_MS = 50;
/** A token of the usual length. */
const ACCESS_TOKEN = `any-token-${'t'.repeat(600)}`;
const RECORD = join(__dirname, '../restored-record.json');

type Raced = { name: string; nanoseconds: number[] }[];
type Hostile = { name: string; milliseconds: number[] }[];

/** Measures what the restore function adds to the platform's own time: CPU, loopback latency, hostile input. */
export async function restore(options: BenchOptions): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-restore-'));
  const secretsManager = await LoopbackSecretsManager.start();
  const record: unknown = JSON.parse(readFileSync(RECORD, 'utf8'));
  const platform = await LoopbackContentPlatform.start(JSON.stringify(record));
  const programs: Program[] = [];
  try {
    secretsManager.put(tokenSecretName('latchkey', MEASURED_KEY), measuredTokenValue(ACCESS_TOKEN, 3_600));
    writeBundle(folder, platform);
    const start = (file: string) => {
      const program = new Program(file, setting(folder, platform, secretsManager));
      programs.push(program);
      return program;
    };

    const rounds = roundsOf(options, 41, 3);
    options.progress(`restore: CPU, ${rounds} rounds`);
    const cpu = start('restore-cpu.mjs');
    const alone = medians(await cpu.ask<Raced>({ rounds, roundMs: 40 }));
    options.progress('restore: hostile input');
    const hostile = await cpu.ask<Hostile>({ calls: options.isQuick ? 5 : 100 });
    const calls = roundsOf(options, 4_000, 30);
    options.progress(`restore: loopback, ${calls} calls each`);
    const overTls = await start('restore-loopback.mjs').ask<Raced>({
      rounds: calls,
      warmUpRounds: options.isQuick ? 10 : 2_000,
    });

    return {
      tables: [
        raceTable(
          `Restore, CPU alone: the platform stubbed in process, median of ${rounds} rounds`,
          alone,
          CPU_LIMIT,
        ),
        callTable(
          `Restore over loopback with TLS, one in flight, ${count(calls)} calls each in turn`,
          overTls,
          LOOPBACK_LIMIT,
        ),
        hostileTable(hostile),
      ],
      goals: [
        goal(8, 'CPU of the restore function', alone, POWERTOOLS, 0.6),
        goal(9, 'restore over loopback', medians(overTls), BARE_HTTPS, 1.15),
        goal(9, 'restore over loopback', medians(overTls), BARE_UNDICI, 1),
        goal(9, 'restore over loopback', medians(overTls), BARE_FETCH, 0.65),
      ],
    };
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
    platform.stop();
    secretsManager.stop();
    rmSync(folder, { recursive: true });
  }
}

function writeBundle(folder: string, platform: LoopbackContentPlatform): void {
  writeFileSync(join(folder, 'handler.js'), buildFunction('restore').text);
  writeFileSync(join(folder, 'deployment.json'), JSON.stringify(measuredDeployment(platform.url)));
  writeFileSync(join(folder, 'ca.pem'), platform.caCertificate);
}

/** On the newest Node of Lambda's runtimes. */
function setting(folder: string, platform: LoopbackContentPlatform, secretsManager: LoopbackSecretsManager) {
  return {
    node: nodeBinaries().at(-1)!.path,
    arguments: [join(folder, 'handler.js'), `${platform.url}/content`],
    environment: {
      ACCESS_TOKEN,
      TOKEN_REFRESH_ARN: 'any',
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      AWS_ENDPOINT_URL: secretsManager.url,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'any',
      AWS_SECRET_ACCESS_KEY: 'any',
      AWS_LAMBDA_FUNCTION_NAME: 'any',
    },
  };
}

function medians(raced: Raced): Map<string, number> {
  return new Map(raced.map((each) => [each.name, median(each.nanoseconds)]));
}

function raceTable(title: string, times: Map<string, number>, limit: string): Table {
  return {
    title,
    columns: ['candidate', 'a call', 'calls/s', 'against LIMIT'],
    rows: [...times].map(([name, ns]) => [
      name,
      nanoseconds(ns),
      count(Math.round(1e9 / ns)),
      ratio(ns, times.get(limit)!),
    ]),
  };
}

/** With the quartiles, since single calls vary far more than rounds of many. */
function callTable(title: string, raced: Raced, limit: string): Table {
  const limitNs = medians(raced).get(limit)!;
  return {
    title,
    columns: ['candidate', 'median', 'quartiles', 'against LIMIT'],
    rows: raced.map(({ name, nanoseconds: each }) => [
      name,
      nanoseconds(median(each)),
      `${nanoseconds(percentile(each, 0.25))} to ${nanoseconds(percentile(each, 0.75))}`,
      ratio(median(each), limitNs),
    ]),
  };
}

function hostileTable(hostile: Hostile): Table {
  return {
    title: `Restore, hostile input: wanted below ${milliseconds(HOSTILE_LIMIT_MS)} at the 99th percentile`,
    columns: ['request', 'median', '99th percentile'],
    rows: [...hostile, { name: 'all', milliseconds: hostile.flatMap((each) => each.milliseconds) }].map(
      ({ name, milliseconds: each }) => [
        name,
        milliseconds(median(each)),
        milliseconds(percentile(each, 0.99)),
      ],
    ),
  };
}

function goal(
  number: number,
  subject: string,
  times: Map<string, number>,
  other: string,
  atMost: number,
): Goal {
  const measured = times.get(OURS)! / times.get(other)!;
  return {
    number,
    subject: `${subject}, against ${other}`,
    wanted: `<= ${atMost}x`,
    measured: ratio(measured, 1),
    isMet: measured <= atMost,
    isTimed: true,
  };
}
