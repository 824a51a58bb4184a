import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadConfiguration } from '../../../lib/options/load';
import { type Answer, runLatchkey } from '../support/command';
import { PROJECT_ROOT } from '../support/local-process';

/** `latchkey init` at a terminal. */
let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-init-'));
  file = join(folder, 'latchkey.json');
});

afterAll(() => rmSync(folder, { recursive: true }));

const ENTER = '\r';
const CTRL_C = String.fromCharCode(3);

const ANSWERS: Answer[] = [
  { after: /Platform environment/, type: ENTER },
  { after: /Platform region/, type: ENTER },
  { after: /Tenant identifier/, type: `eu-west-2_AbcdEfghI${ENTER}` },
  { after: /Another tenant identifier/, type: ENTER },
  { after: /Base URL of the content interface/, type: `https://api.platform.example/rest/v1${ENTER}` },
  { after: /Base URL for its tokens/, type: `https://auth.platform.example${ENTER}` },
  { after: /offer restore/, type: 'n' },
  { after: /Scope of the content token/, type: ENTER },
  { after: /Also keep a content token with scope api\/write/, type: 'n' },
  { after: /Also keep a content token with scope api\/all/, type: 'n' },
  { after: /Do you use the webhooks interface/, type: 'n' },
  { after: /generate API keys/, type: 'n' },
  { after: /AWS account id/, type: ENTER },
  { after: /AWS region/, type: ENTER },
  { after: /E-mail addresses/, type: ENTER },
  { after: /Add another environment or region/, type: 'n' },
];

it('leaves nothing behind when the person gives up', async () => {
  const answers = [...ANSWERS.slice(0, 4), { after: /Base URL of the content/, type: CTRL_C }];

  const result = await runLatchkey(['init', '--config', file], { answers });

  expect(result).toMatchObject({ exitCode: 130 });
  expect(existsSync(file)).toBe(false);
});

it('writes a configuration that synthesizes', async () => {
  const result = await runLatchkey(['init', '--config', file], { answers: ANSWERS });

  expect(result).toMatchObject({ exitCode: 0 });
  expect(result.stdout).toContain('npx cdk deploy --all');
  expect(loadConfiguration(file).deployments).toMatchObject([
    { environment: 'staging', platformRegion: 'global', tenants: [{ tenantId: 'eu-west-2_AbcdEfghI' }] },
  ]);
  expect(existsSync(join(folder, 'latchkey.schema.json'))).toBe(true);
});

it('runs the commands of docs/deploy.md in a script', async () => {
  const page = readFileSync(join(PROJECT_ROOT, 'docs/deploy.md'), 'utf8');
  const block = /```sh\n(?<commands>\s+npx latchkey init[^`]*)```/.exec(page)!.groups!.commands!;
  const commands = block.replaceAll(/\\\n/g, ' ').trim().split('\n');
  const own = join(folder, 'documented.json');

  for (const command of commands) {
    const args = command.trim().replace('npx latchkey ', '').split(/ +/);
    expect(await runLatchkey([...args, '--config', own])).toMatchObject({ exitCode: 0 });
  }

  expect(commands).toHaveLength(2);
  expect(loadConfiguration(own).deployments).toMatchObject([
    { alarms: { emails: ['team@example.org'] }, tenants: [{}, { tenantId: 'eu-west-2_SecondOne' }] },
  ]);
});
