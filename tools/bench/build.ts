import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

import { BUNDLING } from '../../lib/bundling/bundle';

const ROOT = join(__dirname, '../..');

/** A bundle with what went into it. */
export interface Built {
  name: string;
  text: string;
  /** Bytes of the text in UTF-8. */
  bytes: number;
  metafile: Metafile;
}

/** The functions of the toolkit: the folders below `lambdas/` that have a handler. */
export function functionNames(): string[] {
  const folder = join(ROOT, 'lambdas');
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'handler.ts')));
}

/** A function's bundle, as it is deployed. */
export function buildFunction(name: string): Built {
  return build(name, { entryPoints: [join(ROOT, 'lambdas', name, 'handler.ts')] });
}

/** A bundle of source text that may import whatever the repository may. */
function buildSource(name: string, contents: string): Built {
  return build(name, { stdin: { contents, resolveDir: ROOT, loader: 'ts', sourcefile: `${name}.ts` } });
}

/** The client library as a service would bundle it, with the parts that are measured alone. */
export function buildClient(): Built {
  return buildSource(
    'latchkey/client',
    `export * from './client';
     export * from './client/clock';
     export * from './client/token-supply';
     export { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';`,
  );
}

/** The least service that gets its tokens from the client library, with the clients that it makes itself. */
export function buildService(): Built {
  return buildSource(
    'service with latchkey/client',
    `import { createTokenSource } from './client';
     const tokens = createTokenSource({ tokenRefresh: 'any' });
     export const handler = (key) => tokens.getToken(key);`,
  );
}

/** The SDK clients in a bundle, such as `client-secrets-manager`, sorted. */
export function sdkClientsIn({ metafile }: Built): string[] {
  const found = Object.keys(metafile.inputs).flatMap(
    (path) => /node_modules\/@aws-sdk\/(client-[a-z-]+)\//.exec(path)?.[1] ?? [],
  );
  return [...new Set(found)].sort();
}

/**
 * The least bundle with the given SDK clients: makes them, and reads a secret when it is called.
 * @throws {Error} for a client that is not known here
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

/** `LambdaClient` of `client-lambda`: the SDK has initials of more than a letter in few names only. */
function classOf(client: string): string {
  const words = client.replace('client-', '').split('-');
  const initials = ['sqs', 'sns', 'ssm', 'sts', 'kms'];
  const capitalized = words.map((word) =>
    initials.includes(word) ? word.toUpperCase() : `${word[0]!.toUpperCase()}${word.slice(1)}`,
  );
  return `${capitalized.join('')}Client`;
}

function build(name: string, entry: Pick<BuildOptions, 'entryPoints' | 'stdin'>): Built {
  const { outputFiles, metafile } = buildSync({ ...BUNDLING, metafile: true, absWorkingDir: ROOT, ...entry });
  const { text, contents } = outputFiles[0]!;
  return { name, text, bytes: contents.length, metafile };
}
