import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { ALL_CHECKS } from '../../src/conformance/checks/all-checks';
import { sendOverHttps } from '../../src/conformance/https-requests';
import { runProgram } from '../../src/conformance/conformance-program';
import { type CheckResult } from '../../src/conformance/run-checks';
import { SUBJECT_EXAMPLE } from '../../src/conformance/subject-file';
import { type Control, controlAt } from '../../src/testing/control';
import { describedTenant } from '../../src/testing/sandbox-tenant';
import { type ServedSandbox, serveSandbox } from '../support/served-sandbox';

// Most tests run the whole suite, and some start processes.
jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
const caFile = join(folder, 'ca.pem');
const agents: Agent[] = [];
let sandbox: ServedSandbox;
let control: Control;

beforeAll(async () => {
  sandbox = await serveSandbox();
  writeFileSync(caFile, sandbox.caCertificate);
  const agent = new Agent({ ca: sandbox.caCertificate });
  agents.push(agent);
  control = controlAt(sandbox.controlUrl, (request) => sendOverHttps(request, agent));
});
afterAll(async () => {
  agents.forEach((agent) => agent.destroy());
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const HEADERS = { authorRef: 'Acting-Author', collaborationId: 'Acting-Team' };

interface Ended {
  readonly status: number;
  readonly output: string;
  readonly errors: string;
}

async function run(args: string[], input: unknown = ''): Promise<Ended> {
  let output = '';
  let errors = '';
  const status = await runProgram(args, {
    readInput: async () => (typeof input === 'string' ? input : JSON.stringify(input)),
    write: (text) => (output += text),
    writeError: (text) => (errors += text),
    interrupted: new AbortController().signal,
  });
  return { status, output, errors };
}

function resultsIn({ output }: Ended): CheckResult[] {
  return (JSON.parse(output) as { results: CheckResult[] }).results;
}

function fileOf(content: unknown): string {
  const file = join(folder, 'target.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** Runs the checks against a tenant of the sandbox. @param secrets on standard input */
function examine(subject: object, secrets: object, ...options: string[]): Promise<Ended> {
  return run(['--target', fileOf(subject), '--ca-file', caFile, ...options], secrets);
}
afterEach(() => control('DELETE', 'faults'));

describe('a platform', () => {
  it('that violates a clause is reported with the failed check and the reason', async () => {
    const { subject, credential, apiKey } = await describedTenant(control);
    await control('POST', 'faults', { target: 'webhooks', status: 200 });

    const { status, output } = await examine(subject, { ...credential, apiKey });

    expect(status).toBe(1);
    expect(output).toMatch(
      /^failed +the webhooks interface refuses Basic authentication: answered 200 instead of 401 or 403$/m,
    );
    expect(output).toMatch(/^\d+ checks: \d+ passed, 3 failed, 0 broken, \d+ not examined$/m);
  });

  it('is only read: it gets only GETs and token requests', async () => {
    const { subject, credential, apiKey } = await describedTenant(control);
    await control('POST', 'reset');

    const ended = await examine(subject, { ...credential, apiKey }, '--json');

    const { requests } = await control<{ requests: { method: string; target: string }[] }>('GET', 'counters');
    const kinds = new Set(
      requests.map(({ method, target: part }) => (method === 'GET' ? 'GET' : `${method} ${part}`)),
    );
    expect([...kinds].toSorted()).toEqual(['GET', 'POST token']);
    for (const { needs, outcome } of resultsIn(ended))
      expect(outcome).toBe(needs === 'read' ? 'passed' : 'not examined');
    expect(ended.status).toBe(0);
  });

  it.each([
    ['in the body', {}, {}],
    [
      'in headers of the names in the target file',
      { actingUserIn: 'header', actingUserHeaders: HEADERS },
      { actingUserHeaders: HEADERS },
    ],
  ])('passes every check with --writes, with the acting user %s', async (_place, settings, inFile) => {
    const { reference: name, subject, credential, apiKey, session } = await describedTenant(control);
    await control('POST', 'restore', settings);
    const archived = await control<{ contentIds: string[] }>('POST', 'contents', { ...name, count: 100 });

    const described = { ...subject, ...inFile, archivedContentIds: archived.contentIds };
    const ended = await examine(described, { ...credential, apiKey, session }, '--writes', '--json');
    await control('POST', 'reset');

    const results = resultsIn(ended);
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(results).toHaveLength(ALL_CHECKS.length);
    expect(ended.status).toBe(0);
  });

  it('is examined as far as the target file allows', async () => {
    const { subject, credential } = await describedTenant(control);

    const ended = await examine(subject, credential);

    expect(ended.status).toBe(0);
    expect(ended.output).toMatch(/^not examined .*: standard input has no apiKey$/m);
    expect(ended.output).toMatch(/^not examined .*: needs --writes: changes contents or generates keys$/m);
  });
});

it.each([
  ['JSON', { access_token: 'answered-secret', data: 'answered-secret', error: 'answered-secret' }],
  ['no JSON', '<answered-secret>'],
])('reports findings without secrets or response bodies: %s', async (_what, body) => {
  const { subject, credential, apiKey, session } = await describedTenant(control);
  for (const part of ['content', 'webhooks', 'tenants']) {
    await control('POST', 'faults', { target: part, status: 200, body });
  }

  const secretsGiven = { ...credential, apiKey, session };
  const { status, output, errors } = await examine(subject, secretsGiven, '--writes');

  expect(status).toBe(1);
  expect(output.match(/^failed/gm)!.length).toBeGreaterThan(10);
  const secrets = [credential.clientSecret, apiKey, session.authorization, session.correlationId];
  for (const secret of [...secrets, 'answered-secret']) expect(output + errors).not.toContain(secret);
});

it('reports an access token that does not fit in a header as a violation', async () => {
  const { subject, credential } = await describedTenant(control);
  await control('POST', 'faults', { target: 'token', status: 200, body: { access_token: 'two\nlines' } });

  const { output } = await examine(subject, credential);

  expect(output).toMatch(/^failed .*: the token response has no access_token that fits in a header$/m);
  expect(output).not.toMatch(/^broken/m);
});

describe('a platform that cannot be examined', () => {
  it('is unreachable', async () => {
    const { subject, credential } = await describedTenant(control);
    const addresses = { ...subject.addresses, contentBaseUrl: 'https://127.0.0.1:1' };

    const { status, errors } = await run(['--target', fileOf({ ...subject, addresses })], credential);

    expect(status).toBe(69);
    expect(errors).toBe('no answer from https://127.0.0.1:1: ECONNREFUSED\n');
  });

  it('has an untrusted certificate, and the error shows no secret', async () => {
    const { subject, credential } = await describedTenant(control);

    const { status, output, errors } = await run(['--target', fileOf(subject)], credential);

    expect({ status, output }).toEqual({ status: 69, output: '' });
    expect(errors).toMatch(/^no answer from .*: (UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)\w+\n$/);
    expect(errors).not.toContain(credential.clientSecret);
  });
});

describe('faulty input', () => {
  it('is a target file, with all faults at once', async () => {
    const subject = {
      ...SUBJECT_EXAMPLE,
      tenantId: 'a tenant',
      addresses: {
        ...SUBJECT_EXAMPLE.addresses,
        contentBaseUrl: 'http://platform.example',
        webhooksBaseUrl: 1,
        webhooksTokenBaseUrl: 'https://user:a-secret@platform.example',
      },
      actingUserHeaders: { authorRef: 'a:b', collaborationId: 'c' },
      clientSecret: 'a-secret',
    };

    const { status, errors } = await run(['--target', fileOf(subject)], '{}');

    expect(status).toBe(2);
    expect(errors.trim().split('\n')).toEqual([
      expect.stringMatching(/^target file: tenantId: found something else; allowed: /),
      expect.stringMatching(/^target file: addresses\.contentBaseUrl: /),
      expect.stringMatching(/^target file: addresses\.webhooksBaseUrl: /),
      expect.stringMatching(/^target file: addresses\.webhooksTokenBaseUrl: /),
      expect.stringMatching(/^target file: actingUserHeaders\.authorRef: .*a header name/),
      expect.stringMatching(/^target file: clientSecret: found a field of this name; allowed: tenantId, /),
    ]);
    expect(errors).not.toContain('a-secret');
  });

  it.each([
    ['no JSON', 'clientSecret', /^standard input: found no JSON; allowed: well-formed JSON$/],
    [
      'without what is needed',
      { clientId: 'id' },
      /^standard input: clientSecret: found nothing; allowed: string$/,
    ],
    [
      'with more than is known',
      { clientId: 'id', clientSecret: 's', apikey: 'k' },
      /^standard input: apikey: found a field of this name; allowed: clientId, clientSecret, apiKey, session$/,
    ],
  ])('is standard input that is %s', async (_what, input, message) => {
    const { status, errors } = await run(['--target', fileOf(SUBJECT_EXAMPLE)], input);

    expect(status).toBe(2);
    expect(errors.trim()).toMatch(message);
  });

  it.each([
    ['no target', [], '--target: found nothing; allowed: a file that describes a tenant'],
    ['a value of a switch', ['--writes=yes'], '--writes: found a value; allowed: no value'],
    [
      'an option that is not known',
      ['--all'],
      'arguments: found the unknown option --all; allowed: the options below',
    ],
    ['a value', ['x'], 'arguments: found a word; allowed: options only'],
    ['a missing value', ['--target'], '--target: found nothing; allowed: a value after it'],
  ])('is %s', async (_what, args, message) => {
    const { status, errors } = await run(args);

    expect(status).toBe(2);
    expect(errors).toContain(message);
    expect(errors).toContain('usage: latchkey conformance');
  });

  it.each([
    ['--target', ['--target', 'no-such-file']],
    ['--ca-file', ['--target', 'x', '--ca-file', 'no-such-file']],
  ])('is a missing file for %s', async (_option, args) => {
    const { status, errors } = await run(args);

    expect({ status, errors }).toEqual({
      status: 2,
      errors: 'no-such-file: found a file that cannot be read (ENOENT); allowed: a readable file\n',
    });
  });
});

/** Starts the program like a user. */
function start(...args: string[]) {
  const main = ['--require', 'tsx/cjs', join(__dirname, '../../src/conformance/main.ts')];
  return spawn(process.execPath, [...main, ...args, '--ca-file', caFile]);
}

/** Starts to examine a tenant of the sandbox. */
async function startExamining() {
  const { subject, credential } = await describedTenant(control);
  const program = start('--target', fileOf(subject));
  program.stdin.end(JSON.stringify(credential));
  return program;
}

it('stops on an interrupt while it waits for an answer', async () => {
  await control('POST', 'faults', { target: 'token', delayMs: 600_000 });
  const program = await startExamining();
  const ended = once(program, 'exit');
  await once(createInterface(program.stdout), 'line');

  program.kill('SIGINT');

  expect(await ended).toEqual([130, null]);
});

it('stops on an interrupt while it waits for the credentials', async () => {
  const program = start('--target', fileOf(SUBJECT_EXAMPLE));
  // More than fits in a pipe, so the write completes only once the program reads.
  program.stdin.write(' '.repeat(1024 * 1024));
  await once(program.stdin, 'drain');

  program.kill('SIGINT');

  expect(await once(program, 'exit')).toEqual([130, null]);
});

it('runs to the end when nobody reads its output', async () => {
  const program = await startExamining();
  const errors = text(program.stderr);
  await once(createInterface(program.stdout), 'line');

  program.stdout.destroy();

  expect(await once(program, 'exit')).toEqual([0, null]);
  expect(await errors).toBe('');
});
