import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { credentialSecretName, tokenSecretName } from '../../../core/secrets/secret-names';
import { buildClient, buildFunction } from '../build';
import { count, median, milliseconds } from '../figures';
import { awsEnvironment, caCertificate, LoopbackSecrets, LoopbackServer } from '../loopback';
import { MEASURED_KEY, measuredDeployment, measuredTokenValue } from '../measured-key';
import { Program } from '../child-program';
import { type BenchOptions, type Answer, roundsOf } from '../question';

const LATENCY_MS = 50;
const ASKS = 1_000;
const ASKS_IN_OUTAGE = 200;
const WALL_LIMIT = 1.5;
const OUTAGE_REQUESTS = 3;
const OURS = 'latchkey/client over token-refresh';

interface WaveResult {
  wallMs: number;
  failed: number;
  requests: number;
}

/** A token endpoint that answers every request, and counts them. */
class TokenEndpoint {
  requests = 0;
  /** While true, every response is 500. */
  isDown = false;

  readonly answer = () => {
    this.requests += 1;
    if (this.isDown) return { status: 500, body: { error: 'server_error' } };
    const access_token = `token-${this.requests}`;
    return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: 3_600 } };
  };
}

/** The program, and the endpoint and Secrets Manager that it uses. */
interface Setting {
  program: Program;
  endpoint: TokenEndpoint;
  secrets: LoopbackSecrets;
}

/** Counts the token requests that many simultaneous asks for one expired token cause, with the endpoint up and down. */
export async function flight(options: BenchOptions): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-flight-'));
  const file = (name: string) => join(folder, name);
  const [endpoint, secrets] = [new TokenEndpoint(), new LoopbackSecrets()];
  const platform = await LoopbackServer.start(endpoint.answer, LATENCY_MS);
  const secretsManager = await LoopbackServer.start(secrets.answer);
  writeFileSync(file('client.js'), buildClient().text);
  writeFileSync(file('handler.js'), buildFunction('token-refresh').text);
  writeFileSync(file('deployment.json'), JSON.stringify(measuredDeployment(platform.url)));
  writeFileSync(file('ca.pem'), await caCertificate());
  const program = new Program('flight.mjs', {
    arguments: [file('client.js'), file('handler.js'), JSON.stringify(MEASURED_KEY)],
    environment: { TOKEN_URL: `${platform.url}/token`, ...awsEnvironment(secretsManager, file('ca.pem')) },
  });
  const setting = { program, endpoint, secrets };
  try {
    const names = await program.ask<string[]>({ names: true });
    const up = await measureUp(setting, names, options);
    const down = await measureDown(setting, names, options);
    return { tables: [upTable(up), downTable(down)], goals: goals(up.get(OURS)!, down.get(OURS)!) };
  } finally {
    await program.stop();
    platform.stop();
    secretsManager.stop();
    rmSync(folder, { recursive: true });
  }
}

async function measureUp(setting: Setting, names: string[], options: BenchOptions) {
  const results = new Map<string, WaveResult[]>();
  const rounds = roundsOf(options, 5, 1);
  // The first two rounds do not count, because new code runs slowly.
  for (let round = -1; round <= rounds; round += 1) {
    options.progress(`flight: round ${round} of ${rounds}`);
    for (const candidate of names) {
      storeExpiredToken(setting.secrets);
      const asked = await ask(setting, { candidate, asks: ASKS, isNew: true });
      if (asked.failed > 0) throw new Error(`${candidate} failed in ${asked.failed} of ${ASKS} asks`);
      if (round > 0) results.set(candidate, [...(results.get(candidate) ?? []), asked]);
    }
  }
  return results;
}

/** Asks each candidate, and again as soon as all asks have failed. */
async function measureDown(setting: Setting, names: string[], options: BenchOptions) {
  const results = new Map<string, { first: WaveResult; again: WaveResult }>();
  setting.endpoint.isDown = true;
  for (const candidate of names) {
    options.progress(`flight: endpoint down, ${candidate}`);
    storeExpiredToken(setting.secrets);
    const first = await ask(setting, { candidate, asks: ASKS_IN_OUTAGE, isNew: true });
    const again = await ask(setting, { candidate, asks: ASKS_IN_OUTAGE, isNew: false });
    results.set(candidate, { first, again });
  }
  return results;
}

function storeExpiredToken(secrets: LoopbackSecrets): void {
  const credentials = { clientId: 'any', clientSecret: 'any' };
  secrets.put(credentialSecretName('latchkey', MEASURED_KEY, 'client-credentials'), credentials);
  secrets.put(tokenSecretName('latchkey', MEASURED_KEY), measuredTokenValue('expired', -60));
}

async function ask({ program, endpoint }: Setting, message: object): Promise<WaveResult> {
  endpoint.requests = 0;
  const answer = await program.ask<Omit<WaveResult, 'requests'>>(message);
  return { ...answer, requests: endpoint.requests };
}

function upTable(results: Map<string, WaveResult[]>) {
  return {
    title: `Single flight: ${count(ASKS)} asks at once for one token, endpoint answers after ${LATENCY_MS} ms`,
    columns: ['candidate', 'token requests', 'wall', 'against the endpoint'],
    rows: [...results].map(([candidate, asked]) => {
      const wallMs = median(asked.map((each) => each.wallMs));
      return [
        candidate,
        count(median(asked.map(({ requests }) => requests))),
        milliseconds(wallMs),
        `${(wallMs / LATENCY_MS).toFixed(2)}x`,
      ];
    }),
  };
}

function downTable(results: Map<string, { first: WaveResult; again: WaveResult }>) {
  return {
    title: `Outage: the endpoint answers 500 to ${ASKS_IN_OUTAGE} asks at once, then to ${ASKS_IN_OUTAGE} more`,
    columns: ['candidate', 'token requests', 'wall', 'requests of the second wave', 'wall'],
    rows: [...results].map(([candidate, { first, again }]) => [
      candidate,
      count(first.requests),
      milliseconds(first.wallMs),
      count(again.requests),
      milliseconds(again.wallMs),
    ]),
  };
}

function goals(up: WaveResult[], { first, again }: { first: WaveResult; again: WaveResult }) {
  const requests = up.map((asked) => asked.requests);
  const wallMs = median(up.map((asked) => asked.wallMs));
  return [
    {
      number: 3,
      subject: `${count(ASKS)} asks, one expired token, one process`,
      wanted: 'exactly 1 token request',
      measured: [...new Set(requests)].sort().join(', '),
      isMet: requests.every((each) => each === 1),
      isTimed: false,
    },
    {
      number: 3,
      subject: 'the same, wall time',
      wanted: `<= ${WALL_LIMIT}x the endpoint's ${LATENCY_MS} ms`,
      measured: `${(wallMs / LATENCY_MS).toFixed(2)}x`,
      isMet: wallMs <= WALL_LIMIT * LATENCY_MS,
      isTimed: true,
    },
    {
      number: 5,
      subject: `endpoint down, ${ASKS_IN_OUTAGE} asks at once, then ${ASKS_IN_OUTAGE} more`,
      wanted: `<= ${OUTAGE_REQUESTS} token requests, then none`,
      measured: `${first.requests}, then ${again.requests}`,
      isMet: first.requests <= OUTAGE_REQUESTS && again.requests === 0,
      isTimed: false,
    },
  ];
}
