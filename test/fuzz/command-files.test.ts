import { LEARNING_PLATFORM } from '../../core/issuers/learning-platform';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as fc from 'fast-check';

import { type CommandContext } from '../../cli/command';
import { CommandError } from '../../cli/command-error';
import { EXIT, type ExitCode } from '../../cli/exit-codes';
import { issueCredential } from '../../cli/issue-credential';
import { printLocalEnv } from '../../cli/local-env-command';
import { openLocalSystem } from '../../cli/open-local-system';
import { restore } from '../../cli/restore/restore-command';
import { status } from '../../cli/status-command';
import { refreshTokens } from '../../cli/token-refresh-command';
import { showToken } from '../../cli/token-show-command';
import { readContentList } from '../../cli/restore/content-list';
import { parseResults } from '../../cli/restore/result-line';
import { Results } from '../../cli/restore/results';
import { isLoopback } from '../../core/deployment/platform-address';
import { CONTENT_ID, isContentId } from '../../core/restore/content-id';
import { parseJsonObject } from '../../core/json/json-object';
import { type LocalRun } from '../../core/deployment/local-run';
import { FakeTerminal } from '../cli/support/fake-terminal';
import { IS_FULL, printFigures, SEED } from '../support/test-size';
import { forAny } from './support/for-any';
import { anyJson, changed } from './support/fuzzed-json';

const FILES = IS_FULL ? 10_000 : 150;
const TIMEOUT_MS = IS_FULL ? 1_800_000 : 120_000;

let dir: string;
/** Stands for the laptop's AWS endpoint: it answers everything as token-refresh does before credentials are loaded. */
let server: Server;
const figures: string[] = [];
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'latchkey-fuzz-'));
  server = createServer((_, response) =>
    response.end('{"ok":false,"error":{"code":"not_loaded","message":"none"}}'),
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(async () => {
  rmSync(dir, { recursive: true });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  printFigures(figures.join('\n'));
});

function localRun(): LocalRun {
  const key = { accessKeyId: 'key-id', secretAccessKey: 'secret' };
  return {
    aws: {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'eu-west-1',
      accountId: '000000000000',
      ...key,
    },
    operator: key,
    caFile: 'state/ca.pem',
    sandboxControl: 'https://127.0.0.1:1/_sandbox',
    deployments: [
      {
        environment: 'staging',
        platformRegion: 'mea',
        stack: 'latchkey-staging-mea',
        functions: { tokenRefresh: 'arn:aws:lambda:eu-west-1:000000000000:function:refresh' },
        restoreApiUrl: 'https://127.0.0.1:1/v1',
        platform: { contentBaseUrl: 'https://127.0.0.1:1/a', contentTokenBaseUrl: 'https://127.0.0.1:1/b' },
        profile: LEARNING_PLATFORM,
        tenants: [
          {
            tenantId: 'one',
            clientCredentialsArn: 'arn:credentials',
            apiKeyArn: 'arn:key',
            tokens: [{ interface: 'content', scope: 'api/write', arn: 'arn:token' }],
            archivedContentIds: ['a'],
            authorRefs: ['author-1'],
            collaborationIds: [],
          },
        ],
      },
    ],
  };
}

type Command = (context: CommandContext) => Promise<ExitCode>;

const COMMANDS: Command[] = [
  (context) => printLocalEnv(context, {}),
  (context) => printLocalEnv(context, { administrator: true }),
  (context) => issueCredential(context, 'api-keys', {}),
  (context) => status(context, {}),
  (context) => showToken(context, {}),
  (context) => refreshTokens(context, {}),
  (context) => restore(context, { contentId: 'a', authorRef: 'author-1' }),
];

/** The exit code of a command and what it shows. @throws whatever is no CommandError, which is a bug */
async function run(command: Command): Promise<{ exitCode: number; shown: string }> {
  const terminal = new FakeTerminal();
  let nowMs = Date.now();
  const context: CommandContext = {
    terminal,
    system: () =>
      openLocalSystem({
        stateDir: 'state',
        env: {},
        workingDir: dir,
        projectRoot: dir,
        interrupted: terminal.interrupted,
      }),
    nowMs: () => nowMs,
    sleep: async (ms) => void (nowMs += ms),
  };
  try {
    const exitCode = await command(context);
    return { exitCode, shown: terminal.visibleText() };
  } catch (error) {
    expect(String(error)).not.toMatch(/^(Type|Range|Syntax)Error|ZodError/);
    expect(error).toBeInstanceOf(CommandError);
    const { exitCode, message, advice = '' } = error as CommandError;
    expect(message).toMatch(/\S/);
    return { exitCode, shown: `${message}\n${advice}` };
  }
}

/** It ends with an exit code of its own, and shows no stack trace. */
function checkEnding({ exitCode, shown }: Awaited<ReturnType<typeof run>>): void {
  expect(Object.values(EXIT)).toContain(exitCode);
  expect(shown).not.toMatch(/\n\s+at /);
  if (exitCode !== EXIT.done) expect(shown.length).toBeLessThan(10_000);
}

const addresses = fc.constantFrom<unknown>(
  ...[
    'https://elsewhere.example',
    'http://10.0.0.1:80',
    'file:///etc/passwd',
    'http://localhost.evil.example',
    'data:,x',
  ],
  ...['http://user@elsewhere.example', '../ca.pem', '/etc/hostname', '/', '/dev/null', 'state'],
);

async function checkStateFiles() {
  mkdirSync(join(dir, 'state'), { recursive: true });
  const text = fc.oneof(
    { weight: 8, arbitrary: changed([localRun()], addresses).map((value) => JSON.stringify(value)) },
    anyJson.map((value) => JSON.stringify(value)),
    fc.string({ unit: 'binary', maxLength: 60 }),
  );
  const authority = fc.oneof(fc.constant('an authority'), fc.string({ unit: 'binary', maxLength: 60 }));
  const counts = new Map<number, number>();
  const fetched = jest.spyOn(globalThis, 'fetch');
  await forAny(
    fc.tuple(text, authority, fc.constantFrom(...COMMANDS)),
    FILES,
    async ([file, ca, command]) => {
      writeFileSync(join(dir, 'state/local.json'), file);
      writeFileSync(join(dir, 'state/ca.pem'), ca);

      const ended = await run(command);

      checkEnding(ended);
      // The author of the change must not learn what a command sends.
      for (const [url] of fetched.mock.calls.splice(0)) expect(isLoopback((url as URL).hostname)).toBe(true);
      counts.set(ended.exitCode, (counts.get(ended.exitCode) ?? 0) + 1);
    },
  );
  return counts;
}

test(
  'whatever is in the laptop’s state directory, a command ends with one clear message',
  async () => {
    const counts = await checkStateFiles();

    const listed = [...counts].map(([exitCode, count]) => `${exitCode}: ${count}`).sort();
    figures.push(`local.json and ca.pem: ${FILES}, seed ${SEED}; exit codes ${listed.join(', ')}`);
    expect(counts.get(EXIT.unavailable)).toBeGreaterThan(0);
    expect(counts.get(EXIT.done)).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

const RESULT = {
  contentId: 'a',
  ...{
    outcome: 'restored',
    status: 200,
    requestId: 'r',
    at: '2026-01-01T00:00:00Z',
    authorRef: 'author-1',
  },
};
const RUN = {
  environment: 'staging',
  platformRegion: 'mea',
  tenantId: 'one',
  api: 'https://api.example/v1',
} as const;
const line = fc.oneof(
  {
    weight: 4,
    arbitrary: changed([RESULT, { ...RESULT, outcome: 'outcome_unknown', contentId: 'B' }]).map((value) =>
      JSON.stringify(value),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(JSON.stringify(RESULT), 'a', 'B', '# note', '', '\ufeffa', '{"contentId":"a"'),
  },
  anyJson.map((value) => JSON.stringify(value)),
  changed([{ contentId: 'a', authorRef: 'author-1' }]).map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const listed = fc.constantFrom(
  'a',
  'B',
  'c-1',
  'D.e_f',
  '# note',
  '',
  '{"contentId":"g","authorRef":"author-2"}',
);
const fileText = fc
  .tuple(
    fc.oneof(fc.array(line, { maxLength: 4 }), fc.array(listed, { maxLength: 6 })),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\n'),
  )
  .map(([lines, between, end]) => lines.join(between) + end);

const resultsText = fc.oneof(
  fileText,
  fc
    .array(fc.constantFrom(RESULT, { ...RESULT, outcome: 'sending' }, { ...RESULT, contentId: 'B' }))
    .map((lines) => [RUN, ...lines].map((each) => `${JSON.stringify(each)}\n`).join('')),
);

/** The result, or undefined if the command refused. @throws whatever is no CommandError */
function orRefused<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(CommandError);
    const { exitCode, message } = error as CommandError;
    expect([EXIT.usage, EXIT.failed]).toContain(exitCode);
    expect(message).toMatch(/\S/);
    expect(message.length).toBeLessThan(4_000);
    return undefined;
  }
}

async function checkBulkFiles(): Promise<{ lists: number; results: number }> {
  const accepted = { lists: 0, results: 0 };
  const file = join(dir, 'list.txt');
  const bytes = fc.oneof(
    { weight: 9, arbitrary: fileText.map((text) => Buffer.from(text)) },
    fc.uint8Array({ maxLength: 40 }),
  );
  await forAny(fc.tuple(bytes, resultsText, fileText), FILES, ([list, results, lock]) => {
    writeFileSync(file, list);
    writeFileSync(`${file}.locked.lock`, lock);

    const items = orRefused(() => readContentList(file, { authorRef: 'author-1' }))?.items;
    const found = orRefused(() => parseResults(results, 'results.jsonl', RUN))?.lines;
    const opened = orRefused(() => new Results(`${file}.locked`, RUN, () => 0));

    opened?.close();
    for (const { contentId, actingUser } of items ?? []) {
      expect(contentId).toMatch(CONTENT_ID);
      expect(Object.keys(actingUser).length).toBeGreaterThan(0);
    }
    const lines = found === undefined ? [] : results.split('\n').slice(1, -1);
    for (const each of lines) expect(isContentId(parseJsonObject(each)?.contentId)).toBe(true);
    for (const [key, result] of found ?? []) {
      expect(result.contentId.toLowerCase()).toBe(key);
      const text = `${JSON.stringify(RUN)}\n${JSON.stringify(result)}\n`;
      expect(parseResults(text, 'results.jsonl', RUN).lines.size).toBe(1);
    }
    // A lock is never removed while it may be held.
    if (opened === undefined) expect(readFileSync(`${file}.locked.lock`, 'utf8')).toBe(lock);
    if (items !== undefined) accepted.lists += 1;
    if (found !== undefined && found.size > 0) accepted.results += 1;
  });
  return accepted;
}

test(
  'whatever a content list, a results file or its lock holds, a bulk restore reads it or refuses it with a message',
  async () => {
    const { lists, results } = await checkBulkFiles();

    figures.push(`content lists and results files: ${FILES}, seed ${SEED}; accepted ${lists} and ${results}`);
    expect(lists).toBeGreaterThan(0);
    expect(results).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
