import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { tokenSecretName } from '../../../core/secrets/secret-names';
import { buildBare, type Built, buildFunction, buildService, functionNames, sdkClientsIn } from '../build';
import {
  ACCESS_TOKEN,
  type NodeBinary,
  nodeBinaries,
  REST_CALL,
  type Start,
  startOnce,
  writeBundle,
} from '../cold-process';
import { median, milliseconds, ratio } from '../figures';
import { awsEnvironment, caCertificate, LoopbackSecrets, LoopbackServer } from '../loopback';
import { MEASURED_KEY, measuredDeployment, measuredTokenValue } from '../measured-key';
import { type BenchOptions, type Answer, type Goal, roundsOf, type Table } from '../question';

/** Maximum CPU time against the bare bundle. A service with the client library has the whole SDK. */
const FUNCTION_LIMIT = 1;
const SERVICE_LIMIT = 1.3;

const { tenantId, interface: platformInterface, scope } = MEASURED_KEY;

/** For each function, an event that makes it read a secret first. */
const EVENTS: Record<string, object> = {
  'token-refresh': { action: 'ensure', tenantId, interface: platformInterface, scope },
  'token-sweep': { action: 'sweep' },
  authorizer: REST_CALL,
  restore: REST_CALL,
  'credential-watch': { action: 'report' },
  'rotate-credentials': { SecretId: 'any', ClientRequestToken: 'any', Step: 'createSecret' },
};

interface Variant {
  built: Built;
  file: string;
  event: object;
  /** The bundle to compare with; absent for a bare bundle. */
  bare?: Variant;
}

/** Measures the time to load a bundle and read its first secret, in a new process each time. */
export async function cold(options: BenchOptions): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-cold-'));
  const secrets = new LoopbackSecrets();
  const secretsManager = await LoopbackServer.start(secrets.answer);
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, await caCertificate());
  secrets.put(tokenSecretName('latchkey', MEASURED_KEY), measuredTokenValue(ACCESS_TOKEN, 3_600));
  secrets.put('any', {});
  try {
    const variants = writeVariants(folder);
    const binaries = nodeBinaries();
    const rounds = roundsOf(options, 15, 2);
    const starts = new Map<string, Start[]>();
    // Round 0 does not count, because it reads its files for the first time.
    for (let round = 0; round <= rounds; round += 1) {
      options.progress(`cold: round ${round} of ${rounds}`);
      for (const binary of binaries) {
        for (const variant of variants) {
          const environment = awsEnvironment(secretsManager, ca);
          const start = await startOnce(binary, variant.file, variant.event, environment);
          if (round > 0)
            starts.set(keyOf(binary, variant), [...(starts.get(keyOf(binary, variant)) ?? []), start]);
        }
      }
    }
    return {
      tables: binaries.map((binary) => tableOf(binary, variants, starts)),
      goals: binaries.flatMap((binary) => [
        goalOf('each function', binary, variants.slice(0, -1), FUNCTION_LIMIT, starts),
        goalOf('a service', binary, variants.slice(-1), SERVICE_LIMIT, starts),
      ]),
    };
  } finally {
    secretsManager.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Writes each bundle to its own folder, after the bare one with the same clients. */
function writeVariants(folder: string): Variant[] {
  const bares = new Map<string, Variant>();
  const ours = [
    ...functionNames().map((name) => ({ built: buildFunction(name), event: eventOf(name) })),
    { built: buildService(), event: MEASURED_KEY },
  ].map(({ built, event }): Variant => {
    const bareBuilt = buildBare(sdkClientsIn(built));
    const bare = bares.get(bareBuilt.name) ?? write(folder, { built: bareBuilt, event: {} });
    bares.set(bareBuilt.name, bare);
    return { ...write(folder, { built, event }), bare };
  });
  return [...bares.values(), ...ours];
}

function eventOf(name: string): object {
  const event = EVENTS[name];
  if (event === undefined) throw new Error(`${name} has no event in tools/bench/questions/cold.ts`);
  return event;
}

function write(folder: string, { built, event }: { built: Built; event: object }): Variant {
  return { built, file: writeBundle(folder, built, measuredDeployment('https://127.0.0.1:1')), event };
}

const keyOf = (binary: NodeBinary, { built }: Variant) => `${binary.name} ${built.name}`;

function medianOf(
  time: keyof Start,
  binary: NodeBinary,
  variant: Variant,
  starts: Map<string, Start[]>,
): number {
  return median(starts.get(keyOf(binary, variant))!.map((start) => start[time]));
}

function tableOf(binary: NodeBinary, variants: Variant[], starts: Map<string, Start[]>): Table {
  return {
    title: `Cold start on ${binary.name}: loading the bundle and the first secret`,
    columns: [
      'bundle',
      'load',
      'load + first secret',
      'against the bare bundle',
      'CPU time',
      'against it',
      'of it in the invocation',
      'against it',
    ],
    rows: variants.map((variant) => {
      const of = (time: keyof Start, one = variant) => medianOf(time, binary, one, starts);
      const againstBare = (time: keyof Start) =>
        variant.bare === undefined ? '' : ratio(of(time), of(time, variant.bare));
      return [
        variant.built.name,
        milliseconds(of('loadedMs')),
        milliseconds(of('answeredMs')),
        againstBare('answeredMs'),
        milliseconds(of('cpuMs')),
        againstBare('cpuMs'),
        milliseconds(of('invocationCpuMs')),
        againstBare('invocationCpuMs'),
      ];
    }),
  };
}

function goalOf(
  subject: string,
  binary: NodeBinary,
  variants: Variant[],
  limit: number,
  starts: Map<string, Start[]>,
): Goal {
  const ratios = variants.flatMap((variant) =>
    variant.bare === undefined
      ? []
      : [medianOf('cpuMs', binary, variant, starts) / medianOf('cpuMs', binary, variant.bare, starts)],
  );
  const worst = Math.max(...ratios);
  return {
    number: 6,
    subject: `CPU time of load + first secret of ${subject}, ${binary.name}`,
    wanted: `<= ${limit}x the bare one`,
    measured: `at most ${ratio(worst, 1)}`,
    isMet: worst <= limit,
    isTimed: true,
  };
}
