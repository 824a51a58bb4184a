import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  CreateSecretCommand,
  DeleteSecretCommand,
  ListSecretsCommand,
} from '@aws-sdk/client-secrets-manager';

import { type CommandError } from '../../../cli/command-error';
import { clientsWith } from '../src/clients';
import { runRecords } from '../src/clean-up/runs';
import { answer, type Question } from '../src/question';
import { readProveOptions } from '../src/options';
import { type ProveCommand } from '../src/prove-command';
import { clean } from '../src/clean';
import { run } from '../src/run';
import { FakeTerminal } from '../../../test/cli/support/fake-terminal';
import { bundlingOncePerRun } from '../../../test/support/bundling-once-per-run';
import { TEST_RUN_VARIABLE, testRunFolder } from '../../../test/support/test-run';
import { LaptopAccount } from './support/laptop-account';

// Each run starts two processes that synthesize.
jest.setTimeout(240_000);

const laptop = new LaptopAccount();
const workingDir = mkdtempSync(join(tmpdir(), 'latchkey-test-run-'));
const environment = { ...process.env };
beforeAll(async () => {
  Object.assign(process.env, { ...bundlingOncePerRun(), [TEST_RUN_VARIABLE]: testRunFolder() });
  await laptop.open();
});
afterAll(async () => {
  process.env = environment;
  await laptop.close();
  rmSync(workingDir, { recursive: true });
});

const records = runRecords(join(workingDir, '.latchkey/prove'));
const PLACE = { accountId: '111111111111', region: 'eu-west-1' };

/** A command in the account of the laptop. @param answers of the person who is asked; nobody is if they are absent */
function prepared(line: string, questions: readonly Question[] = [], answers?: boolean[]) {
  const terminal = new FakeTerminal({ isInteractive: answers !== undefined, answers: answers ?? [] });
  const options = { ...readProveOptions(line.split(' ').filter(Boolean)), questions: [...questions] };
  const surroundings = {
    env: process.env,
    workingDir,
    projectRoot: join(__dirname, '../../..'),
    interrupted: terminal.interrupted,
  };
  const command: ProveCommand = { options, caller: laptop.caller(), terminal, surroundings };
  return { command, terminal };
}

const question = (id: string, ask: Question['ask']): Question => ({
  id,
  subject: 'An example',
  reliedOn: 'it is so',
  promise: 'nothing',
  pages: [],
  ask,
});

/** Names of what begins as a run's does. */
async function leftovers(): Promise<string[]> {
  const { stacks, clientConfig } = laptop.ports;
  const { SecretList = [] } = await clientsWith(clientConfig()).secretsManager.send(new ListSecretsCommand());
  const names = [...SecretList.map(({ Name }) => Name!), ...(await stacks.list('')).map(({ name }) => name)];
  return names.filter((name) => name.startsWith('prove-')).sort();
}

describe('a run', () => {
  test('says where it is, deploys, asks, removes everything, and reports what differs', async () => {
    const seen: string[][] = [];
    const { command, terminal } = prepared('--results out', [
      question('deployed', async (proven) => {
        seen.push(await leftovers());
        return answer(proven.restoreApiUrl.startsWith('https://'), 'a restore API');
      }),
      question('otherwise', async () => answer(false, 'it is otherwise')),
    ]);

    const exitCode = await run(command);

    expect(exitCode).toBe(1);
    expect(seen[0]).toEqual(expect.arrayContaining([expect.stringMatching(/^prove-[0-9a-f]{8}-sandbox$/)]));
    expect(await leftovers()).toEqual([]);
    expect(terminal.said[0]).toMatch(
      /^Account 111111111111, region eu-west-1, partition aws, at [\w.:-]+ and not on AWS$/,
    );
    const [file] = readdirSync(join(workingDir, 'out'));
    const report = readFileSync(join(workingDir, 'out', file!), 'utf8');
    expect(report).toContain('| deployed | An example | it is so | a restore API | as relied on |');
    expect(report).toContain(
      '| otherwise | An example | it is so | it is otherwise | **differs**, so this is not kept: nothing |',
    );
    expect(report).toMatch(/- key .*AWS deletes it later/);
    expect(terminal.results[0]!.text).toBe(report.trimEnd());
  });

  test('that is interrupted removes everything, reports what it saw, and leaves no record', async () => {
    const { command, terminal } = prepared('', [
      question('first', async () => answer(true, 'seen')),
      question('second', async () => {
        terminal.interrupt();
        return answer(false, 'exit code 130');
      }),
      question('third', () => Promise.reject(new Error('asked after the interruption'))),
    ]);

    const failure = await run(command).catch((error: CommandError) => error);

    expect(failure).toMatchObject({ code: 'interrupted' });
    expect(await leftovers()).toEqual([]);
    expect(terminal.results[0]!.text).toContain('2 questions: 1 as relied on, 0 differs, 1 not run');
    expect(records.list(PLACE)).toEqual([]);
  });

  test('changes nothing if the person who is asked declines', async () => {
    const { command, terminal } = prepared('', [], [false]);

    await expect(run(command)).rejects.toMatchObject({ code: 'declined' });

    expect(terminal.questions.map((each) => each.question)).toEqual(['Deploy to 111111111111, eu-west-1?']);
    expect([await leftovers(), records.list(PLACE)]).toEqual([[], []]);
  });
});

describe('the removal of earlier runs', () => {
  const [ours, running, theirs] = ['prove-aaaa1111', 'prove-bbbb2222', 'prove-cccc3333'];
  const existing = [ours, running, theirs].map((prefix) => `${prefix}-question/secret`);

  beforeEach(async () => {
    const { secretsManager } = clientsWith(laptop.ports.clientConfig());
    for (const Name of existing)
      await secretsManager.send(new CreateSecretCommand({ Name, SecretString: 'x' }));
    const createdAt = new Date(Date.now() - 190 * 60_000).toISOString();
    const record = { ...PLACE, createdAt, owner: 'arn:aws:iam::111111111111:user/me', keyIds: [] };
    records.save({ ...record, prefix: ours });
    records.save({ ...record, prefix: running, pid: process.pid });
  });
  afterEach(async () => {
    const { secretsManager } = clientsWith(laptop.ports.clientConfig());
    for (const SecretId of await leftovers())
      await secretsManager.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
    for (const { prefix } of records.list(PLACE)) records.remove(prefix);
  });

  test('shows owner, age and everything that it would remove, and asks', async () => {
    const { command, terminal } = prepared('--clean', [], [false]);

    await expect(clean(command)).rejects.toMatchObject({ code: 'declined' });

    expect(terminal.said).toEqual([
      `${ours}: began 3 h ago, by arn:aws:iam::111111111111:user/me`,
      `  secret ${ours}-question/secret`,
      `${running}: began 3 h ago, by arn:aws:iam::111111111111:user/me`,
      `  left alone: its process ${process.pid} is still running. To remove it: latchkey prove --clean --run ${running}`,
      `${theirs}: of unknown age, by an unknown caller`,
      `  left alone: it has no record here, so it may be somebody else’s. To remove it: latchkey prove --clean --run ${theirs}`,
    ]);
    expect(terminal.questions.map((each) => each.question)).toEqual([
      'Remove 1 run from 111111111111, eu-west-1?',
    ]);
    expect(await leftovers()).toEqual(existing);
  });

  test('takes those of this folder that have ended', async () => {
    const { command, terminal } = prepared('--clean');

    expect(await clean(command)).toBe(0);

    expect(await leftovers()).toEqual(existing.slice(1));
    expect(terminal.results[0]!.text).toBe(`${ours}: removed 1 × secret`);
    expect(records.list(PLACE).map(({ prefix }) => prefix)).toEqual([running]);
  });

  test('takes those that are named, and no other', async () => {
    const { command } = prepared(`--clean --run ${running},${theirs}`);

    expect(await clean(command)).toBe(0);

    expect(await leftovers()).toEqual(existing.slice(0, 1));
  });

  test('refuses a name of which nothing is left', async () => {
    const { command } = prepared('--clean --run prove-dddd4444');

    await expect(clean(command)).rejects.toMatchObject({ code: 'not_found' });

    expect(await leftovers()).toEqual(existing);
  });
});
