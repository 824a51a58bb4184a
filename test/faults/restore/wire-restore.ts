import dns from 'node:dns';

import { type Canary, type VisibleText } from '../../support/canaries';
import { trustAuthority } from '../../support/lambdas/trusted-authority';
import { expectDocumented } from '../../support/openapi/documented-answers';
import { RestoreApiUnderTest } from '../../support/restore-api/restore-api-under-test';
import { metricSumsOf } from '../support/function-output';
import { trustedAuthority } from '../support/wire-world';
import { ContentGate } from './content-gate';
import { type PlatformFault } from './platform-fault';
import { type RestoreWorld, type Told } from './restore-world';

/** The whole restore path, with a gate in front of the platform. */
interface Path {
  api: RestoreApiUnderTest;
  gate: ContentGate;
}

let path: Path | undefined;

/** Starts the path once for all rows, since that takes seconds. */
export async function startRestorePath(): Promise<void> {
  let gate: ContentGate | undefined;
  const api = await RestoreApiUnderTest.start(
    {},
    {
      contentOrigin: async (sandbox) => {
        gate = await ContentGate.start(sandbox);
        return gate.origin;
      },
    },
  );
  const { certificatePem } = await trustedAuthority();
  trustAuthority(`${api.sandbox.caCertificate}\n${certificatePem}`);
  path = { api, gate: gate! };
}

export async function stopRestorePath(): Promise<void> {
  await Promise.all([path?.api.stop(), path?.gate.stop()]);
}

/** API Gateway, authorizer, restore and token-refresh as deployed, and an archived content of the sandbox. */
export class WireRestoreWorld implements RestoreWorld {
  readonly where = 'wire';
  readonly api: RestoreApiUnderTest;
  readonly gate: ContentGate;
  readonly #contentId: string;
  readonly #grantsBefore: number;
  readonly #answers: VisibleText[] = [];
  #faults: PlatformFault[] = [];
  #lastOutput = '';

  private constructor({ api, gate }: Path, contentId: string, grantsBefore: number) {
    this.api = api;
    this.gate = gate;
    this.#contentId = contentId;
    this.#grantsBefore = grantsBefore;
  }

  /**
   * Creates a world with its own content.
   * @param isKept whether a connection to the platform is already open
   */
  static async start({ isKept = false } = {}): Promise<WireRestoreWorld> {
    const shared = path!;
    await shared.gate.meet([]);
    if (!isKept) shared.gate.cutConnections();
    else await shared.api.call({ contentId: await shared.api.content() });
    const contentId = await shared.api.content();
    return new WireRestoreWorld(shared, contentId, await grantsOf(shared.api));
  }

  meet(...faults: PlatformFault[]): void {
    this.#faults = faults;
  }

  async restore(): Promise<Told> {
    await this.gate.meet(this.#faults.splice(0));
    const lookup = lookUpThrough(this.gate);
    const startOfOutput = this.api.output().length;
    const { status, headers, text } = await this.api.call({ contentId: this.#contentId });
    lookup.mockRestore();
    this.#lastOutput = this.api.output().slice(startOfOutput);
    this.#answers.push({ place: 'answer', text: `${JSON.stringify(headers)} ${text}` });
    const body = JSON.parse(text) as { code?: string; detail?: string };
    expectDocumented({ status, headers, body }, 'platform');
    return { status, code: body.code, detail: body.detail, retryAfter: headers['retry-after'] };
  }

  posts(): number {
    return this.#requests().length;
  }

  /** The tokens sent to the platform, in order. */
  shownTokens(): (string | undefined)[] {
    return this.#requests().map(({ authorization }) => authorization);
  }

  sends(): number {
    return Math.max(this.gate.connections, this.posts());
  }

  async timesRestored(): Promise<number> {
    return (await this.api.changesOf(this.#contentId)).length;
  }

  async grants(): Promise<number> {
    return (await grantsOf(this.api)) - this.#grantsBefore;
  }

  metrics(): Readonly<Record<string, number>> {
    const sums = Object.entries(metricSumsOf(this.#lastOutput));
    return Object.fromEntries(
      sums.filter(([name]) => name.startsWith('Restore') && name !== 'RestoreLatency'),
    );
  }

  canaries(): readonly Canary[] {
    const values = [...this.api.account.secrets.values()].flatMap(({ name, versions }) =>
      [...versions.values()].flatMap(({ secretString = '{}' }) => {
        const held = JSON.parse(secretString) as Record<string, string>;
        return ['clientSecret', 'apiKey', 'accessToken'].flatMap((field) =>
          held[field] === undefined ? [] : [{ name: `${field} in ${name}`, value: held[field] }],
        );
      }),
    );
    return [{ name: 'body of the platform', value: this.gate.planted }, ...values];
  }

  visible(): readonly VisibleText[] {
    return [...this.#answers, { place: 'standard output and error', text: this.#lastOutput }];
  }

  #requests() {
    return this.gate.requests.filter((request) => request.path.includes(`/${this.#contentId}/`));
  }
}

/** Resolves names as usual, but fails for the platform's while the gate declares it unknown. */
function lookUpThrough(gate: ContentGate) {
  const { lookup } = dns;
  return jest.spyOn(dns, 'lookup').mockImplementation((...args: Parameters<typeof lookup>) => {
    const [host] = args as unknown as [string];
    if (host !== 'localhost' || gate.noConnection !== 'name not known') return void lookup(...args);
    const done = args.at(-1) as unknown as (error: Error) => void;
    process.nextTick(done, Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }));
  });
}

async function grantsOf({ sandbox }: RestoreApiUnderTest): Promise<number> {
  const { requests } = await sandbox.control<{
    requests: { target: string; status: number; count: number }[];
  }>('GET', 'counters');
  const granted = requests.filter(({ target, status }) => target === 'token' && status === 200);
  return granted.reduce((sum, { count }) => sum + count, 0);
}
