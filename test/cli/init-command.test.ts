import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { init } from '../../cli/init-command';
import { type Terminal } from '../../cli/terminal';
import { loadConfiguration } from '../../lib/config/load';
import { FakeTerminal } from './support/fake-terminal';
import { failureOf, OperatedSystem } from './support/operated-system';

const ANSWERS = [
  'staging',
  'mea',
  'eu-west-2_AbcdEfghI',
  'https://api.platform.example/rest/v1',
  'https://auth.platform.example',
  // restore
  false,
  // content tokens: the first, then api/write and api/all
  'api/read',
  true,
  false,
  // webhooks
  true,
  'https://webhooks.platform.example',
  'https://webhooks-auth.platform.example',
  // webhooks tokens: the first, then api/all
  'api/webhooks',
  false,
  // tenant service
  true,
  'https://tenants.platform.example',
  'eu-west-1',
  // another one
  false,
];

/** A person who presses Enter at each question, and types a value only when asked again. */
class EnterOnly extends FakeTerminal {
  readonly complaints: string[] = [];
  readonly #typed: string[];
  readonly #confirmed = new Set<string>();

  constructor(typed: string[]) {
    super({ isInteractive: true });
    this.#typed = typed;
  }

  override async ask(
    _: string,
    { initial = '', check }: Parameters<Terminal['ask']>[1] = {},
  ): Promise<string> {
    const complaint = check?.(initial);
    if (complaint === undefined) return initial;
    this.complaints.push(complaint);
    return this.#typed.shift()!;
  }

  override async choose<T extends string>(_: string, [first]: readonly { value: T }[] = []): Promise<T> {
    return first!.value;
  }

  override async confirm(question: string): Promise<boolean> {
    if (this.#confirmed.has(question)) throw new Error(`asked again: ${question}`);
    this.#confirmed.add(question);
    return false;
  }
}

describe('latchkey init', () => {
  const context = (terminal: FakeTerminal) => new OperatedSystem().context(terminal);
  let dir: string;
  let config: string;

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'latchkey-init-'));
    config = join(dir, 'config', 'latchkey.json');
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('writes a valid configuration, with the schema next to it', async () => {
    const terminal = new FakeTerminal({ isInteractive: true, answers: ANSWERS });

    const exitCode = await init(context(terminal), { config });

    expect(exitCode).toBe(0);
    expect(loadConfiguration(config).deployments).toMatchObject([
      {
        environment: 'staging',
        platformRegion: 'mea',
        region: 'eu-west-1',
        restore: { available: false },
        tenants: [
          {
            tenantId: 'eu-west-2_AbcdEfghI',
            tokens: [
              { interface: 'content', scope: 'api/read' },
              { interface: 'content', scope: 'api/write' },
              { interface: 'webhooks', scope: 'api/webhooks' },
            ],
          },
        ],
      },
    ]);
    expect(readdirSync(join(dir, 'config'))).toEqual(['latchkey.json', 'latchkey.schema.json']);
  });

  it('adds the token that restore needs without asking', async () => {
    const answers = [...ANSWERS];
    // Restore, and no other content tokens.
    answers.splice(5, 4, true, false, false);
    const terminal = new FakeTerminal({ isInteractive: true, answers });

    const exitCode = await init(context(terminal), { config });

    expect(exitCode).toBe(0);
    const [deployment] = loadConfiguration(config).deployments;
    expect(deployment).toMatchObject({ restore: { available: true } });
    expect(deployment!.tenants[0]!.tokens).toMatchObject([
      { interface: 'content', scope: 'api/write' },
      { interface: 'webhooks', scope: 'api/webhooks' },
    ]);
    expect(terminal.visibleText()).not.toMatch(/Keep .*api\/write/);
  });

  it('accepts Enter at every question that has a default', async () => {
    const typed = [...ANSWERS.slice(2, 5)] as string[];
    const terminal = new EnterOnly(typed);

    const exitCode = await init(context(terminal), { config });

    expect(exitCode).toBe(0);
    expect(loadConfiguration(config).deployments).toMatchObject([
      {
        environment: 'staging',
        platformRegion: 'global',
        restore: { available: false },
        tenants: [{ tokens: [{ interface: 'content', scope: 'api/read' }] }],
      },
    ]);
    expect(terminal.complaints).toEqual([
      'type a value, then Enter: 1–128 letters, digits, _ and -, starting with a letter or digit',
      expect.stringMatching(/^type a value, then Enter: an https URL/),
      expect.stringMatching(/^type a value, then Enter: an https URL/),
    ]);
  });

  it('keeps an existing file without confirmation', async () => {
    config = join(dir, 'latchkey.json');
    writeFileSync(config, 'mine');
    const terminal = new FakeTerminal({ isInteractive: true, answers: [false] });

    const exitCode = await init(context(terminal), { config });

    expect(exitCode).toBe(1);
    expect(readFileSync(config, 'utf8')).toBe('mine');
  });

  it('writes nothing if the answers are not a valid configuration', async () => {
    const answers = [...ANSWERS];
    answers[4] = 'http://auth.platform.example';
    const terminal = new FakeTerminal({ isInteractive: true, answers });

    const failure = await failureOf(init(context(terminal), { config }));

    expect(failure.exitCode).toBe(2);
    expect(failure.message).toContain('contentTokenBaseUrl');
    expect(existsSync(config)).toBe(false);
  });

  it('writes nothing if interrupted', async () => {
    const terminal = new FakeTerminal({ isInteractive: true, answers: ANSWERS.slice(0, 5) });

    const failure = await failureOf(init(context(terminal), { config }));

    expect(failure.code).toBe('interrupted');
    expect(readdirSync(dir)).toEqual([]);
  });

  it('shows what to write by hand without a terminal', async () => {
    const failure = await failureOf(init(context(new FakeTerminal()), { config }));

    expect(failure.exitCode).toBe(2);
    const example = failure.advice!.slice(failure.advice!.indexOf('{'));
    writeFileSync(join(dir, 'by-hand.json'), example);
    expect(loadConfiguration(join(dir, 'by-hand.json')).deployments).toHaveLength(1);
  });
});
