import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { init } from '../../cli/init';
import { loadConfiguration } from '../../lib/config/load';
import { FakeTerminal } from './support/fake-terminal';
import { failureOf, OperatedSystem } from './support/operated-system';

const ANSWERS = [
  'staging',
  'mea',
  'eu-west-2_AbcdEfghI',
  'https://api.platform.example/rest/v1',
  'https://auth.platform.example',
  // content tokens: api/all, api/read, api/write
  false,
  true,
  true,
  // webhooks
  true,
  'https://webhooks.platform.example',
  'https://webhooks-auth.platform.example',
  // webhooks tokens: api/webhooks, api/all
  true,
  false,
  // tenant service
  true,
  'https://tenants.platform.example',
  'eu-west-1',
  // another one
  false,
];

describe('latchkey init', () => {
  const context = (terminal: FakeTerminal) => new OperatedSystem().context(terminal);
  let dir: string;
  let config: string;

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'latchkey-init-'));
    config = join(dir, 'config', 'latchkey.json');
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('writes a configuration that loads, with the schema beside it', async () => {
    const terminal = new FakeTerminal({ isInteractive: true, answers: ANSWERS });

    const exitCode = await init(context(terminal), { config });

    expect(exitCode).toBe(0);
    expect(loadConfiguration(config).deployments).toMatchObject([
      {
        environment: 'staging',
        platformRegion: 'mea',
        region: 'eu-west-1',
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

  it('keeps a file that is there unless the person agrees', async () => {
    config = join(dir, 'latchkey.json');
    writeFileSync(config, 'mine');
    const terminal = new FakeTerminal({ isInteractive: true, answers: [false] });

    const exitCode = await init(context(terminal), { config });

    expect(exitCode).toBe(1);
    expect(readFileSync(config, 'utf8')).toBe('mine');
  });

  it('writes nothing where the answers make no configuration', async () => {
    const answers = [...ANSWERS];
    answers[4] = 'http://auth.platform.example';
    const terminal = new FakeTerminal({ isInteractive: true, answers });

    const failure = await failureOf(init(context(terminal), { config }));

    expect(failure.exitCode).toBe(2);
    expect(failure.message).toContain('contentTokenBaseUrl');
    expect(existsSync(config)).toBe(false);
  });

  it('writes nothing where it is interrupted in between', async () => {
    const terminal = new FakeTerminal({ isInteractive: true, answers: ANSWERS.slice(0, 5) });

    const failure = await failureOf(init(context(terminal), { config }));

    expect(failure.code).toBe('interrupted');
    expect(readdirSync(dir)).toEqual([]);
  });

  it('shows what to write by hand where nobody can be asked', async () => {
    const failure = await failureOf(init(context(new FakeTerminal()), { config }));

    expect(failure.exitCode).toBe(2);
    const example = failure.advice!.slice(failure.advice!.indexOf('{'));
    writeFileSync(join(dir, 'by-hand.json'), example);
    expect(loadConfiguration(join(dir, 'by-hand.json')).deployments).toHaveLength(1);
  });
});
