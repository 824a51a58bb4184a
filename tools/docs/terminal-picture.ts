import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PROJECT_ROOT } from '../../test/journeys/support/local-process';
import { RunningSystem } from '../../test/journeys/support/running-system';

/**
 * Records the real output of commands in a terminal as pictures in docs/images: terminal.svg (the main job and `status`),
 * status.svg and doctor.svg (a deployment with a fault) and init.svg. Requires `script` from util-linux, which provides the
 * terminal.
 */
const FOLDER = join(PROJECT_ROOT, 'docs/images');
const COMMAND = join(PROJECT_ROOT, 'bin/latchkey.cjs');
/** The command of docs/deploy.md. */
const INIT = [
  'init --environment staging --tenants eu-west-2_AbcdEfghI --content-scopes api/read',
  '--account 111122223333 --region eu-west-1',
  '--content-base-url https://api.staging.platform.example/rest/v1',
  '--content-token-base-url https://auth.staging.platform.example --alarm-emails team@example.org --yes',
];
const COLUMNS = 108;
const LINE_HEIGHT = 18;
const CHARACTER_WIDTH = 7.83;
const PADDING = 16;

/** CSS classes, by the code of a color or weight. @see ECMA-48, 8.3.117 (SGR) */
const CLASSES: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'bad',
  32: 'good',
  33: 'warning',
};
const STYLES = `
  svg { color-scheme: light dark }
  rect { fill: #f6f8fa; stroke: #d0d7de }
  text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #1f2328; white-space: pre }
  .bold { font-weight: 600 } .dim { fill: #656d76 } .good { fill: #1a7f37 } .warning { fill: #9a6700 } .bad { fill: #cf222e }
  @media (prefers-color-scheme: dark) {
    rect { fill: #161b22; stroke: #30363d }
    text { fill: #e6edf3 }
    .dim { fill: #8d96a0 } .good { fill: #3fb950 } .warning { fill: #d29922 } .bad { fill: #f85149 }
  }
  @media (prefers-reduced-motion: no-preference) {
    text { opacity: 0; animation: show 0s linear forwards }
    @keyframes show { to { opacity: 1 } }
  }`;
const ESCAPE = String.fromCharCode(27);

async function takePictures(): Promise<void> {
  const mainJob = record('npm start --silent -- --once');
  const system = await RunningSystem.startAsUsersDo();
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-picture-'));
  try {
    const { stateDir } = system.process;
    const local = (command: string, exitCode?: number) =>
      record(`node ${COMMAND} ${command} --local --environment staging --state-dir ${stateDir}`, {
        exitCode,
      }).map((line) => line.replaceAll(` --state-dir ${stateDir}`, ''));
    const shown = (command: string, lines: readonly string[]) => [
      `${ESCAPE}[1m$ npx latchkey ${command}${ESCAPE}[0m`,
      ...lines,
    ];
    const typed = (command: string) => `${command} --local --environment staging`;
    write('terminal', 'npm start -- --once, and npx latchkey status --local', [
      `${ESCAPE}[1m$ npm start -- --once${ESCAPE}[0m`,
      ...mainJob,
      '',
      ...shown(typed('status'), local('status')),
    ]);
    const match = { environment: 'staging', platformRegion: 'global', tenantId: 'eu-west-2_StagingTwo' };
    await system.control('POST', '/faults', { target: 'token', status: 401, match });
    await system.advance(3600);
    write('status', 'npx latchkey status --local with a fault', shown(typed('status'), local('status', 1)));
    write('doctor', 'npx latchkey doctor --local with a fault', shown(typed('doctor'), local('doctor', 1)));
    const answers = record(`node ${COMMAND} ${INIT.join(' ')}`, { cwd: folder });
    const [first = '', ...more] = INIT.map((line, n) => (n === INIT.length - 1 ? line : `${line} \\`));
    write('init', 'npx latchkey init', [
      ...shown(
        first,
        more.map((line) => `    ${line}`),
      ),
      ...answers,
    ]);
  } finally {
    rmSync(folder, { recursive: true });
    await system.stop();
  }
}

function write(name: string, what: string, lines: readonly string[]): void {
  writeFileSync(join(FOLDER, `${name}.svg`), drawn(`${what}, in a terminal`, lines));
}

/** Runs a command in a terminal and returns the lines it prints. */
function record(
  command: string,
  { exitCode = 0, cwd = PROJECT_ROOT }: { exitCode?: number | undefined; cwd?: string } = {},
): string[] {
  const sized = `stty cols ${COLUMNS} rows 60; ${command}`;
  const { stdout, status } = spawnSync('script', ['--quiet', '--return', '--command', sized, '/dev/null'], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, TERM: 'xterm-256color', npm_config_loglevel: 'silent' },
  });
  if (status !== exitCode) throw new Error(`${command} exited with ${status}: ${stdout}`);
  return lastFrame(stdout)
    .replace(/^\s*\n|\s+$/g, '')
    .split(/\r?\n/)
    .map((line) => line.trimEnd());
}

/** The final output, without lines that were redrawn or erased. */
function lastFrame(output: string): string {
  return output
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf(`${ESCAPE}[2K`) + 1).replace(/^\[2K/, ''))
    .join('\n')
    .replace(new RegExp(`${ESCAPE}\\[\\??[0-9;]*[A-LN-Za-ln-z]`, 'g'), '')
    .replace(/[^\n]*\r(?!\n)/g, '');
}

function drawn(label: string, lines: readonly string[]): string {
  const width = Math.ceil(COLUMNS * CHARACTER_WIDTH) + 2 * PADDING;
  const height = lines.length * LINE_HEIGHT + 2 * PADDING;
  const texts = lines.map((line, n) => {
    const y = PADDING + (n + 1) * LINE_HEIGHT - 5;
    return `<text x="${PADDING}" y="${y}" style="animation-delay:${(n * 0.12).toFixed(2)}s">${spansOf(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}">
<style>${STYLES}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${texts.join('\n')}
</svg>
`;
}

function spansOf(line: string): string {
  let classes = new Set<string>();
  return line
    .split(new RegExp(`${ESCAPE}\\[([0-9;]*)m`))
    .map((part, n) => {
      if (n % 2 === 0) {
        const text = part.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
        return classes.size === 0 || text === ''
          ? text
          : `<tspan class="${[...classes].join(' ')}">${text}</tspan>`;
      }
      const codes = part.split(';');
      // 22 resets bold and dim, 39 the color, 0 everything.
      if (codes.some((code) => ['', '0', '22', '39'].includes(code))) classes = new Set();
      for (const code of codes) if (CLASSES[code] !== undefined) classes.add(CLASSES[code]);
      return '';
    })
    .join('');
}

takePictures().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
