import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { tokenSecretName } from '../../../contract/secret-names';
import { buildBare, buildBareRestore, type Built, buildFunction } from '../build';
import {
  ACCESS_TOKEN,
  type NodeBinary,
  nodeBinaries,
  REST_CALL,
  startOnce,
  writeBundle,
} from '../cold-process';
import { median, milliseconds, ratio } from '../figures';
import { LoopbackContentPlatform } from '../loopback/content-platform';
import { LoopbackSecretsManager } from '../loopback/loopback-secrets-manager';
import { MEASURED_KEY, measuredDeployment, measuredTokenValue } from '../measured-key';
import { type Answer, type BenchOptions, roundsOf, type Table } from '../question';

const RECORD = { id: 'any-content', status: 'created', items: [] };

/** The two functions that API Gateway calls for a restore, one after the other. */
interface Pair {
  name: string;
  authorizer: string;
  restore: string;
}
interface First {
  wallMs: number;
  cpuMs: number;
  invocationCpuMs: number;
  authorizerMs: number;
  restoreMs: number;
}

/** Measures the first restore after an hour of silence: both functions in new processes, and the token read. */
export async function firstRestore(options: BenchOptions): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-first-'));
  const secretsManager = await LoopbackSecretsManager.startWithTls();
  const platform = await LoopbackContentPlatform.start(JSON.stringify(RECORD));
  try {
    secretsManager.put(tokenSecretName('latchkey', MEASURED_KEY), measuredTokenValue(ACCESS_TOKEN, 3_600));
    secretsManager.put('any', {});
    const ca = join(folder, 'ca.pem');
    writeFileSync(ca, `${platform.caCertificate}\n${secretsManager.caCertificate}`);
    const environment = {
      AWS_ENDPOINT_URL: secretsManager.url,
      NODE_EXTRA_CA_CERTS: ca,
      PLATFORM_URL: `${platform.url}/content/contents/any-content/restore`,
    };
    const write = (built: Built) => writeBundle(folder, built, measuredDeployment(platform.url));
    const bare: Pair = {
      name: 'bare bundles that read the token and call the platform',
      authorizer: write(buildBare(['client-secrets-manager'])),
      restore: write(buildBareRestore()),
    };
    const ours: Pair = {
      name: 'authorizer and restore function',
      authorizer: write(buildFunction('authorizer')),
      restore: write(buildFunction('restore')),
    };
    const binaries = nodeBinaries();
    const rounds = roundsOf(options, 15, 2);
    const found = new Map<string, First[]>();
    // Round 0 does not count, because it reads its files for the first time.
    for (let round = 0; round <= rounds; round += 1) {
      options.progress(`first: round ${round} of ${rounds}`);
      for (const binary of binaries) {
        for (const pair of [bare, ours]) {
          const first = await restoreOnce(binary, pair, environment);
          const slot = `${binary.name} ${pair.name}`;
          if (round > 0) found.set(slot, [...(found.get(slot) ?? []), first]);
        }
      }
    }
    return { tables: binaries.map((binary) => tableOf(binary, [bare, ours], found)), goals: [] };
  } finally {
    platform.stop();
    secretsManager.stop();
    rmSync(folder, { recursive: true });
  }
}

async function restoreOnce(
  binary: NodeBinary,
  { authorizer, restore }: Pair,
  environment: Record<string, string>,
): Promise<First> {
  const first = await startOnce(binary, authorizer, REST_CALL, environment, 'answer');
  const second = await startOnce(binary, restore, REST_CALL, environment, 'answer');
  return {
    wallMs: first.answeredMs + second.answeredMs,
    cpuMs: first.cpuMs + second.cpuMs,
    invocationCpuMs: first.invocationCpuMs + second.invocationCpuMs,
    authorizerMs: first.answeredMs,
    restoreMs: second.answeredMs,
  };
}

function tableOf(binary: NodeBinary, pairs: readonly Pair[], found: Map<string, First[]>): Table {
  const of = ({ name }: Pair, time: keyof First) =>
    median(found.get(`${binary.name} ${name}`)!.map((first) => first[time]));
  return {
    title: `First restore on ${binary.name}, after an hour of silence: both functions cold`,
    columns: [
      'functions',
      'authorizer',
      'restore',
      'both',
      'against bare',
      'CPU time of both',
      'against bare',
      'of it in the invocations',
      'against bare',
    ],
    rows: pairs.map((pair) => [
      pair.name,
      milliseconds(of(pair, 'authorizerMs')),
      milliseconds(of(pair, 'restoreMs')),
      milliseconds(of(pair, 'wallMs')),
      ratio(of(pair, 'wallMs'), of(pairs[0]!, 'wallMs')),
      milliseconds(of(pair, 'cpuMs')),
      ratio(of(pair, 'cpuMs'), of(pairs[0]!, 'cpuMs')),
      milliseconds(of(pair, 'invocationCpuMs')),
      ratio(of(pair, 'invocationCpuMs'), of(pairs[0]!, 'invocationCpuMs')),
    ]),
  };
}
