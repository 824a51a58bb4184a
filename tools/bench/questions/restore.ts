import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { tokenSecretName } from '../../../core/secrets/secret-names';
import { buildFunction } from '../build';
import { count, median, nanoseconds, percentile, ratio } from '../figures';
import { awsEnvironment, caCertificate, LoopbackSecrets, LoopbackServer } from '../loopback';
import { nodeBinaries } from '../cold-process';
import { MEASURED_KEY, measuredDeployment, measuredTokenValue } from '../measured-key';
import { Program } from '../child-program';
import { type BenchOptions, type Answer, type Goal, roundsOf, type Table } from '../question';

/** Names of candidates in the programs. */
const OURS = 'latchkey restore';
const LIMIT = 'LIMIT: bare node:https with the same log lines';

/** A token of the usual length. */
const ACCESS_TOKEN = `any-token-${'t'.repeat(600)}`;
const RECORD = join(__dirname, '../restored-record.json');

type Raced = { name: string; nanoseconds: number[] }[];

/** Measures what the restore function adds to the platform's own time, over loopback. */
export async function restore(options: BenchOptions): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-restore-'));
  const secrets = new LoopbackSecrets();
  const secretsManager = await LoopbackServer.start(secrets.answer);
  const record = JSON.parse(readFileSync(RECORD, 'utf8')) as object;
  const platform = await LoopbackServer.start(() => ({ status: 200, body: record }));
  secrets.put(tokenSecretName('latchkey', MEASURED_KEY), measuredTokenValue(ACCESS_TOKEN, 3_600));
  writeFileSync(join(folder, 'handler.js'), buildFunction('restore').text);
  writeFileSync(join(folder, 'deployment.json'), JSON.stringify(measuredDeployment(platform.url)));
  writeFileSync(join(folder, 'ca.pem'), await caCertificate());
  const program = new Program('restore-loopback.mjs', {
    // On the newest Node of Lambda's runtimes.
    node: nodeBinaries().at(-1)!.path,
    arguments: [join(folder, 'handler.js'), `${platform.url}/content`],
    environment: { ACCESS_TOKEN, ...awsEnvironment(secretsManager, join(folder, 'ca.pem')) },
  });
  try {
    const calls = roundsOf(options, 4_000, 30);
    options.progress(`restore: loopback, ${calls} calls each`);
    const overTls = await program.ask<Raced>({
      rounds: calls,
      warmUpRounds: options.isQuick ? 10 : 2_000,
    });

    return {
      tables: [callTable(overTls, calls)],
      goals: [goal(medians(overTls))],
    };
  } finally {
    await program.stop();
    platform.stop();
    secretsManager.stop();
    rmSync(folder, { recursive: true });
  }
}

function medians(raced: Raced): Map<string, number> {
  return new Map(raced.map((each) => [each.name, median(each.nanoseconds)]));
}

/** With the quartiles, since single calls vary far more than rounds of many. */
function callTable(raced: Raced, calls: number): Table {
  const limitNs = medians(raced).get(LIMIT)!;
  return {
    title: `Restore over loopback with TLS, one in flight, ${count(calls)} calls each in turn`,
    columns: ['candidate', 'median', 'quartiles', 'against LIMIT'],
    rows: raced.map(({ name, nanoseconds: each }) => [
      name,
      nanoseconds(median(each)),
      `${nanoseconds(percentile(each, 0.25))} to ${nanoseconds(percentile(each, 0.75))}`,
      ratio(median(each), limitNs),
    ]),
  };
}

function goal(times: Map<string, number>): Goal {
  const measured = times.get(OURS)! / times.get(LIMIT)!;
  return {
    number: 9,
    subject: `restore over loopback, against ${LIMIT}`,
    wanted: '<= 1.15x',
    measured: ratio(measured, 1),
    isMet: measured <= 1.15,
    isTimed: true,
  };
}
