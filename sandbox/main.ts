import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { cellPaths, CONTROL_PATH, tenantServicePath } from './addresses';
import { createSandbox } from './sandbox';
import { type Cell, cellName, DEFAULT_SEED, parseSeed } from './seed';
import { type RunningServer, startServer } from './server';
import { parseInput } from './validation';

const USAGE = 'usage: node --require tsx/cjs sandbox/main.ts [--port N] [--seed FILE] [--ca-file FILE]\n';
const portSchema = z.int().min(0).max(65_535);
const startMessageSchema = z.object({ type: z.literal('start'), port: portSchema, seed: z.unknown() });

/** Started by hand: prints the addresses, and writes nothing but the CA certificate when asked to. */
async function runStandAlone(): Promise<void> {
  const options = readOptions();
  const seed = parseSeed(
    options.seedFile ? JSON.parse(readFileSync(options.seedFile, 'utf8')) : DEFAULT_SEED,
  );
  const server = await start(seed, options.port);
  if (options.caFile) writeFileSync(options.caFile, server.caCertificate);
  process.stdout.write(`${addressLines(server.origin, seed.cells).join('\n')}\n`);
}

/**
 * Started by another program over an IPC channel: takes port and seed from its first message, tells it the address, and
 * lives no longer than it. An interrupt at the terminal reaches both; it is the other program that decides when to stop.
 */
function runForked(send: NonNullable<typeof process.send>): void {
  process.on('SIGINT', () => undefined);
  process.once('disconnect', () => process.exit(0));
  process.once('message', (message) => {
    startForked(message).then(
      (answer) => send(answer),
      (error: unknown) =>
        send({ type: 'failed', message: failureMessage(error) }, undefined, undefined, () => process.exit(1)),
    );
  });
}

async function startForked(message: unknown) {
  const { port, seed } = parseInput(startMessageSchema, message);
  const { origin, caCertificate } = await start(seed, port);
  return { type: 'listening', origin, caCertificate };
}

function start(seed: unknown, port: number): Promise<RunningServer> {
  const onUnexpectedError = (error: Error) => process.stderr.write(`sandbox: unexpected ${error.stack}\n`);
  return startServer(createSandbox(seed, { onUnexpectedError }), port);
}

/** Ends the program with status 2 for options it does not know. */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '0' },
        seed: { type: 'string' },
        'ca-file': { type: 'string' },
      },
    });
    const { port } = parseInput(z.object({ port: portSchema }), { port: Number(values.port) });
    return { port, seedFile: values.seed, caFile: values['ca-file'] };
  } catch (error) {
    process.stderr.write(`sandbox: ${failureMessage(error)}\n${USAGE}`);
    return process.exit(2);
  }
}

function addressLines(origin: string, cells: readonly Cell[]): string[] {
  const line = (name: string, path: string) => `${name.padEnd(34)} ${origin}${path}`;
  return [
    ...cells.flatMap((cell) =>
      Object.entries(cellPaths(cell)).map(([name, path]) => line(`${cellName(cell)} ${name}`, path)),
    ),
    line('staging tenants', tenantServicePath('staging')),
    line('live tenants', tenantServicePath('production')),
    line('control', CONTROL_PATH),
  ];
}

function failureMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

if (process.send) {
  runForked(process.send.bind(process));
} else {
  runStandAlone().catch((error: unknown) => {
    process.stderr.write(`sandbox: ${failureMessage(error)}\n`);
    process.exit(1);
  });
}
