import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { tokenSecretName } from '../../../contract/secret-names';
import { buildBare, type Built, buildFunction, buildService, functionNames, sdkClientsIn } from '../build';
import { median, milliseconds, ratio } from '../figures';
import { LoopbackSecretsManager } from '../loopback/loopback-secrets-manager';
import { MEASURED_KEY, measuredDeployment, measuredTokenValue } from '../measured-key';
import { type BenchOptions, type Answer, type Goal, roundsOf, type Table } from '../question';

/** Of a function, and of a service with the client library, which has the whole SDK. */
const FUNCTION_LIMIT = 0.8;
const SERVICE_LIMIT = 1.3;
const START = join(__dirname, '../programs/start.cjs');
const ACCESS_TOKEN = 'any-token';

const { tenantId, interface: platformInterface, scope } = MEASURED_KEY;
const REST_CALL = {
  path: `/tenants/${tenantId}/contents/any-content/restore`,
  pathParameters: { tenantId, contentId: 'any-content' },
  multiValueHeaders: { Authorization: [`Bearer ${ACCESS_TOKEN}`], 'Content-Type': ['application/json'] },
  body: '{"authorRef":"any"}',
  requestContext: { requestId: 'any' },
  methodArn: 'any',
};

/** For each function, an event that makes it read a secret first. */
const EVENTS: Record<string, object> = {
  'token-refresh': { action: 'ensure', tenantId, interface: platformInterface, scope },
  'token-sweep': { action: 'sweep' },
  authorizer: REST_CALL,
  restore: REST_CALL,
  'credential-watch': { action: 'report' },
  'rotate-credentials': { SecretId: 'any', ClientRequestToken: 'any', Step: 'createSecret' },
};

/** A Node version to start functions with. */
interface NodeBinary {
  name: string;
  path: string;
}

interface Start {
  /** Time until the bundle was loaded. */
  loadedMs: number;
  /** Time until Secrets Manager's first response. */
  answeredMs: number;
}

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
  const secretsManager = await LoopbackSecretsManager.start();
  secretsManager.put(tokenSecretName('latchkey', MEASURED_KEY), measuredTokenValue(ACCESS_TOKEN, 3_600));
  secretsManager.put('any', {});
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
          const start = await startOnce(binary, variant, secretsManager.url);
          if (round > 0)
            starts.set(slot(binary, variant), [...(starts.get(slot(binary, variant)) ?? []), start]);
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
  const place = join(folder, built.name.replaceAll(/[^a-z]+/g, '-'));
  mkdirSync(place);
  const file = join(place, 'handler.js');
  writeFileSync(file, built.text);
  writeFileSync(join(place, 'deployment.json'), JSON.stringify(measuredDeployment('https://127.0.0.1:1')));
  return { built, file, event };
}

async function startOnce(binary: NodeBinary, { file, event }: Variant, endpoint: string): Promise<Start> {
  const { stdout } = await promisify(execFile)(binary.path, [START, file, JSON.stringify(event)], {
    env: {
      PATH: process.env.PATH,
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'any',
      AWS_SECRET_ACCESS_KEY: 'any',
      AWS_SESSION_TOKEN: 'any',
      AWS_LAMBDA_FUNCTION_NAME: 'any',
      TOKEN_REFRESH_ARN: 'any',
      NODE_NO_WARNINGS: '1',
    },
  });
  return JSON.parse(stdout) as Start;
}

const slot = (binary: NodeBinary, { built }: Variant) => `${binary.name} ${built.name}`;

function answeredMs(binary: NodeBinary, variant: Variant, starts: Map<string, Start[]>): number {
  return median(starts.get(slot(binary, variant))!.map((start) => start.answeredMs));
}

function tableOf(binary: NodeBinary, variants: Variant[], starts: Map<string, Start[]>): Table {
  return {
    title: `Cold start on ${binary.name}: loading the bundle and the first secret`,
    columns: ['bundle', 'load', 'load + first secret', 'against the bare bundle'],
    rows: variants.map((variant) => [
      variant.built.name,
      milliseconds(median(starts.get(slot(binary, variant))!.map(({ loadedMs }) => loadedMs))),
      milliseconds(answeredMs(binary, variant, starts)),
      variant.bare === undefined
        ? ''
        : ratio(answeredMs(binary, variant, starts), answeredMs(binary, variant.bare, starts)),
    ]),
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
      : [answeredMs(binary, variant, starts) / answeredMs(binary, variant.bare, starts)],
  );
  const worst = Math.max(...ratios);
  return {
    number: 6,
    subject: `load + first secret of ${subject}, ${binary.name}`,
    wanted: `<= ${limit}x the bare one`,
    measured: `at most ${ratio(worst, 1)}`,
    isMet: worst <= limit,
    isTimed: true,
  };
}

/**
 * The Node versions of Lambda's runtimes, from packages of tools/bench for Linux on x86-64.
 * On other machines, the current Node, and the figures hold for that version only.
 */
function nodeBinaries(): NodeBinary[] {
  const packaged = ['22', '24'].map((major) => ({
    name: `Node ${major}`,
    path: join(__dirname, '../node_modules', `node-${major}-linux-x64`, 'bin', 'node'),
  }));
  const found = packaged.filter(({ path }) => existsSync(path));
  if (found.length > 0) return found;
  return [{ name: `Node ${process.versions.node} (22 and 24 are not available)`, path: process.execPath }];
}
