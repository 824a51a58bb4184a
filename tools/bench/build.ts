import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

import { BUNDLING, FUNCTION_BUNDLING } from '../../lib/bundling/bundle';

const ROOT = join(__dirname, '../..');

/** A bundle and its metadata. */
export interface Built {
  name: string;
  text: string;
  /** Size of the text in UTF-8. */
  bytes: number;
  metafile: Metafile;
}

/** The names of the functions: the folders below `lambdas/` with a handler. */
export function functionNames(): string[] {
  const folder = join(ROOT, 'lambdas');
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'handler.ts')));
}

/** Builds a function's bundle as it is deployed. */
export function buildFunction(name: string): Built {
  return build(name, { entryPoints: [join(ROOT, 'lambdas', name, 'handler.ts')] }, FUNCTION_BUNDLING);
}

/** Bundles source text, which may import anything in the repository. */
function buildSource(name: string, contents: string): Built {
  return build(name, { stdin: { contents, resolveDir: ROOT, loader: 'ts', sourcefile: `${name}.ts` } });
}

/** Bundles the client library as a service would, plus internal parts that are measured separately. */
export function buildClient(): Built {
  return buildSource(
    'latchkey/client',
    `export * from './client';
     export * from './client/clock';
     export * from './client/token-supply';
     export { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';`,
  );
}

/** Bundles the smallest service that uses the client library with its own SDK clients. */
export function buildService(): Built {
  return buildSource(
    'service with latchkey/client',
    `import { createTokenSource } from './client';
     const tokens = createTokenSource({ tokenRefresh: 'any' });
     export const handler = (key) => tokens.getToken(key);`,
  );
}

/** The SDK clients in a bundle, sorted; for example `client-secrets-manager`. */
export function sdkClientsIn({ metafile }: Built): string[] {
  const found = Object.keys(metafile.inputs).flatMap(
    (path) => /node_modules\/@aws-sdk\/(client-[a-z-]+)\//.exec(path)?.[1] ?? [],
  );
  return [...new Set(found)].sort();
}

/**
 * Builds the smallest bundle with the given SDK clients: it creates them, and reads a secret when called.
 * @throws {Error} for an unknown client
 */
export function buildBare(clients: readonly string[]): Built {
  const others = clients.filter((name) => name !== 'client-secrets-manager');
  const imports = others.map((name) => `import { ${classOf(name)} } from '@aws-sdk/${name}';`);
  return buildSource(
    `bare ${clients.map((name) => name.replace('client-', '')).join(' + ')}`,
    `import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
     ${imports.join('\n')}
     const secretsManager = new SecretsManagerClient({});
     export const others = [${others.map((name) => `new ${classOf(name)}({})`).join(', ')}];
     export const handler = () => secretsManager.send(new GetSecretValueCommand({ SecretId: 'any' }));`,
  );
}

/** The class name of a client: `LambdaClient` for `client-lambda`. */
function classOf(client: string): string {
  const words = client.replace('client-', '').split('-');
  const initials = ['sqs', 'sns', 'ssm', 'sts', 'kms'];
  const capitalized = words.map((word) =>
    initials.includes(word) ? word.toUpperCase() : `${word[0]!.toUpperCase()}${word.slice(1)}`,
  );
  return `${capitalized.join('')}Client`;
}

function build(
  name: string,
  entry: Pick<BuildOptions, 'entryPoints' | 'stdin'>,
  options: BuildOptions = BUNDLING,
): Built {
  const { outputFiles, metafile } = buildSync({
    ...options,
    write: false,
    metafile: true,
    absWorkingDir: ROOT,
    ...entry,
  });
  const { text, contents } = outputFiles[0]!;
  return { name, text, bytes: contents.length, metafile };
}
