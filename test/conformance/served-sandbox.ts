import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { type createSandbox } from '../../sandbox/sandbox';
import { type startServer } from '../../sandbox/server';
import { type DEFAULT_SEED } from '../../sandbox/seed';
import { type Variant } from './variant';

const ROOT = join(__dirname, '../..');
const ENTRY = `
  export { createSandbox } from './sandbox';
  export { startServer } from './server';
  export { DEFAULT_SEED } from './seed';
`;

interface SandboxModules {
  readonly createSandbox: typeof createSandbox;
  readonly startServer: typeof startServer;
  readonly DEFAULT_SEED: typeof DEFAULT_SEED;
}

/** A sandbox that is served over TLS. */
export interface ServedSandbox {
  readonly controlUrl: string;
  readonly caCertificate: string;
  close(): Promise<void>;
}

/**
 * Serves the sandbox from its source, or a variant of it.
 * @throws {Error} when what the variant changes does not occur exactly once in its file
 */
export async function serveSandbox(variant?: Variant): Promise<ServedSandbox> {
  const modules = load(await bundled(variant));
  const server = await modules.startServer(modules.createSandbox(modules.DEFAULT_SEED), 0);
  return {
    controlUrl: `${server.origin}/_sandbox`,
    caCertificate: server.caCertificate,
    close: () => server.close(),
  };
}

async function bundled(variant: Variant | undefined): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: join(ROOT, 'sandbox'), loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    packages: 'external',
    plugins: variant ? [changing(variant)] : [],
  });
  return outputFiles[0]!.text;
}

function changing({ file, from, to }: Variant): Plugin {
  const path = join(ROOT, file);
  const parts = readFileSync(path, 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`${file}: ${parts.length - 1} times ${from}`);
  return {
    name: 'variant',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, (args) =>
        args.path === path ? { contents: parts.join(to), loader: 'ts' } : undefined,
      ),
  };
}

/** Packages are those of this process, so that each is loaded once. */
function load(code: string): SandboxModules {
  const module = { exports: {} };
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the program that was just built from our own source
  const run = new Function('require', 'module', 'exports', code) as (...args: unknown[]) => void;
  run(createRequire(__filename), module, module.exports);
  return module.exports as SandboxModules;
}
