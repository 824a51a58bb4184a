import { getEventListeners } from 'node:events';
import { PassThrough } from 'node:stream';

import { CommandError } from '../../cli/command-error';
import { EXIT } from '../../cli/exit-codes';
import { ProcessTerminal, type ProcessTerminalOptions, type Prompts } from '../../cli/process-terminal';
import { failureOf } from './support/operated-system';

const CANCELLED = Symbol('cancelled');

function arranged(change: Partial<ProcessTerminalOptions> & { isTerminal?: boolean; answer?: unknown } = {}) {
  const { isTerminal = false, answer = 'an answer', ...options } = change;
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  for (const stream of Object.values(streams)) Object.assign(stream, { isTTY: isTerminal, rows: 5 });
  const put = jest.fn().mockResolvedValue(answer);
  const filter = jest.fn().mockResolvedValue(answer);
  const prompts = {
    text: put,
    password: put,
    confirm: put,
    select: put,
    autocomplete: filter,
    isCancel: (value: unknown) => value === CANCELLED,
  } as unknown as Prompts;
  const interrupt = new AbortController();
  const terminal = new ProcessTerminal({
    ...(streams as unknown as Pick<ProcessTerminalOptions, 'stdin' | 'stdout' | 'stderr'>),
    env: {},
    asJson: false,
    inColor: true,
    prompts: async () => prompts,
    interrupt,
    ...options,
  });
  const shown = (stream: keyof typeof streams) => String(streams[stream].read() ?? '');
  return { terminal, streams, shown, put, filter, interrupt };
}

describe('the terminal of a process', () => {
  it.each([
    [12, 'put'],
    [13, 'filter'],
  ] as const)('asks to choose among %i with the prompt to %s', async (count, prompt) => {
    const { terminal, ...asked } = arranged({ isTerminal: true });
    const choices = Array.from({ length: count }, (_, n) => ({ value: `t${n}`, label: `t${n}` }));

    await terminal.choose('Tenant', choices);

    const given = { message: 'Tenant', options: choices };
    expect(asked[prompt].mock.calls).toEqual([[expect.objectContaining(given)]]);
    expect(asked.put.mock.calls.length + asked.filter.mock.calls.length).toBe(1);
    // What is typed to filter may match none.
    for (const [{ validate }] of asked.filter.mock.calls as [{ validate: (chosen?: string) => unknown }][])
      expect([validate(undefined), validate('t3')]).toEqual(['Nothing matches', undefined]);
  });

  it('writes results to standard output and everything else to standard error', () => {
    const { terminal, shown } = arranged();

    terminal.say('for people');
    terminal.result({ a: 1 }, () => 'the result');

    expect(shown('stdout')).toBe('the result\n');
    expect(shown('stderr')).toBe('for people\n');
  });

  it('writes one JSON document with --json, also for a failure', () => {
    const { terminal, shown } = arranged({ asJson: true });

    terminal.failure(new CommandError(EXIT.refused, 'refused', 'it was refused', { advice: 'Do this.' }));

    expect(JSON.parse(shown('stdout'))).toEqual({
      error: { code: 'refused', message: 'it was refused', advice: 'Do this.' },
    });
    expect(shown('stderr')).toBe('latchkey: it was refused\nDo this.\n');
  });

  it('escapes control and bidirectional characters in JSON', () => {
    const { terminal, shown } = arranged({ asJson: true });
    const document = { summary: 'a\u001b[2Jb\u009b2Jc\u202ed\u{e0041}e\u007f', name: 'Zoë 名' };

    terminal.result(document, () => '');

    const text = shown('stdout');
    expect(text).toMatch(/^[^\p{Cc}\p{Cf}]+\n$/u);
    expect(text).toContain('Zoë 名');
    expect(JSON.parse(text)).toEqual(document);
  });

  it('lets no text act on the terminal, on any way to it, and keeps the styles', () => {
    const hostile = 'a\u001b]0;title\u0007b\u001b[2Jc\u009b8md\u202ee\rf';
    const { terminal, shown } = arranged({ isTerminal: true, env: { FORCE_COLOR: '1' } });

    terminal.say(hostile);
    terminal.failure(new CommandError(EXIT.failed, 'failed', hostile, { advice: hostile }));
    const progress = terminal.progress(hostile);
    progress.update(hostile);
    progress.done(hostile);
    terminal.result({}, ({ bad }) => `${bad('red')}\n${hostile}`);
    terminal.redraw(() => hostile);

    const safe = 'a ]0;title b [2Jc 8md e f';
    const [stdout, stderr] = [shown('stdout'), shown('stderr')];
    expect(stdout).toBe(`\u001b[31mred\u001b[39m\n${safe}\n\u001b[H\u001b[J${safe}\n`);
    // eslint-disable-next-line no-control-regex
    const withoutOwn = stderr.replaceAll(/\r\u001b\[K|\u001b\[3[129]m/g, '');
    expect(withoutOwn.replaceAll('\n', '')).toMatch(/^[^\p{Cf}\p{Cc}]*$/u);
    expect(withoutOwn.split(safe)).toHaveLength(7);
  });

  it.each([
    ['npx', 'npx latchkey'],
    ['test', 'latchkey'],
  ])('prints commands as the shell knows them when npm runs %s', (npm_lifecycle_event, command) => {
    const { terminal, shown } = arranged({ env: { npm_lifecycle_event, FORCE_COLOR: '1' } });

    const text = (arrow: string, latchkey: string) =>
      `latchkey-staging-mea\n${arrow} ${latchkey} doctor\nRun \`${latchkey} status\`.\n  ${latchkey} status\nnpx latchkey x`;
    terminal.result({}, ({ dim }) => text(dim('→'), 'latchkey'));
    terminal.failure(
      new CommandError(EXIT.failed, 'failed', 'latchkey has no token', { advice: 'To see: latchkey x' }),
    );

    expect(shown('stdout')).toBe(`${text('\u001b[2m→\u001b[22m', command)}\n`);
    expect(shown('stderr')).toContain(`To see: ${command} x`);
  });

  it('writes no second document if a command fails after its result', () => {
    const { terminal, shown } = arranged({ asJson: true });

    terminal.result({ a: 1 }, () => '');
    terminal.failure(new CommandError(EXIT.failed, 'late', 'too late'));

    expect(shown('stdout')).toBe('{"a":1}\n');
  });

  it.each([
    ['on a terminal', true, {}, true, true],
    ['elsewhere', false, {}, true, false],
    ['with NO_COLOR', true, { NO_COLOR: '1' }, true, false],
    ['with an empty NO_COLOR', true, { NO_COLOR: '' }, true, true],
    ['with FORCE_COLOR and NO_COLOR', false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true, true],
    ['with FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, true, false],
    ['with an empty FORCE_COLOR', false, { FORCE_COLOR: '' }, true, false],
    ['with FORCE_COLOR and --no-color', true, { FORCE_COLOR: '1' }, false, false],
    ['on a dumb one', true, { TERM: 'dumb' }, true, false],
  ])('colors %s: %s', (_, isTerminal, env, inColor, isColored) => {
    const { terminal, shown } = arranged({ isTerminal, env, inColor });

    terminal.result({}, (style) => style.bad('red'));

    expect(shown('stdout').includes('\u001b[')).toBe(isColored);
  });

  it('asks on standard error, and never shows a hidden answer', async () => {
    const { terminal, put, shown, streams } = arranged({ isTerminal: true, answer: 'canary' });

    expect(await terminal.askHidden('Client secret')).toBe('canary');
    const [[asked]] = put.mock.calls as [[{ message: string; output: unknown }]];
    expect(asked.message).toBe('Client secret');
    expect(asked.output).toBe(streams.stderr);
    expect(`${shown('stdout')}${shown('stderr')}`).not.toContain('canary');
  });

  it('is interrupted by Ctrl-C in a prompt', async () => {
    const { terminal } = arranged({ isTerminal: true, answer: CANCELLED });

    const failure = await failureOf(() => terminal.confirm('Sure?'));

    expect(failure).toMatchObject({ exitCode: 130, code: 'interrupted' });
    expect(terminal.interrupted.aborted).toBe(true);
  });

  it('leaves no listeners on its signal after prompts, and aborts each of them', async () => {
    const { terminal, put, interrupt } = arranged({ isTerminal: true });
    const signals: AbortSignal[] = [];
    put.mockImplementation(async ({ signal }: { signal: AbortSignal }) => {
      signal.addEventListener('abort', () => undefined);
      signals.push(signal);
    });

    for (let count = 0; count < 3; count += 1) await terminal.ask('Region');
    const listeners = getEventListeners(interrupt.signal, 'abort');
    interrupt.abort();

    expect(listeners).toHaveLength(0);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  it('refuses prompts without a terminal', async () => {
    const { terminal, put } = arranged();

    expect((await failureOf(() => terminal.askHidden('Client secret'))).exitCode).toBe(2);
    expect(put).not.toHaveBeenCalled();
  });

  it('reads standard input to its end', async () => {
    const { terminal, streams } = arranged();
    streams.stdin.write('{"a":');
    streams.stdin.end('"é"}');

    expect(await terminal.readInput(100)).toBe('{"a":"é"}');
  });

  it('does not read a secret from a terminal, which would echo it', async () => {
    const { terminal, streams } = arranged();
    Object.assign(streams.stdin, { isTTY: true });

    const { exitCode, message } = await failureOf(() => terminal.readInput(100));

    expect(exitCode).toBe(2);
    expect(message).toContain('standard error: found no terminal');
  });

  it('stops reading input that is too long, and does not quote it', async () => {
    const { terminal, streams } = arranged();
    streams.stdin.write('canary'.repeat(10));

    expect(await failureOf(() => terminal.readInput(20))).toMatchObject({
      exitCode: 2,
      message: 'standard input: found more than 20 bytes; allowed: one JSON object',
    });
  });

  it('can be interrupted while it waits for standard input', async () => {
    const { terminal, interrupt } = arranged();

    const reading = failureOf(() => terminal.readInput(20));
    interrupt.abort();

    expect(await reading).toMatchObject({ code: 'interrupted' });
  });

  it('shows progress as lines without a terminal', () => {
    const { terminal, shown } = arranged();

    const progress = terminal.progress('Looking');
    progress.update('Looking again');
    progress.done('Looked');

    expect(progress.isDrawnOver).toBe(false);
    expect(shown('stderr')).toBe('Looking\nLooking again\nLooked\n');
  });

  it('shows a spinner on a terminal, and leaves one line', () => {
    const { terminal, shown } = arranged({ isTerminal: true, inColor: false });

    terminal.progress('Looking').done('Looked');

    expect(shown('stderr')).toBe('\r\u001b[K⠋ Looking\r\u001b[K✓ Looked\n');
  });

  it('draws at most as many lines as the window has', () => {
    const { terminal, shown } = arranged({ isTerminal: true });

    terminal.redraw(() => 'a\nb\nc\nd\ne\nf');

    expect(shown('stdout')).toBe('\u001b[H\u001b[Ja\nb\nc\n…\n');
  });
});
