import { z } from 'zod';
import { parseInput } from '../validation';
import { start } from './start-sandbox';

const startMessageSchema = z.object({
  type: z.literal('start'),
  port: z.int().min(0).max(65_535),
  seed: z.unknown(),
});

/**
 * Runs the sandbox for a parent process with an IPC channel. Reads port and seed from the first message, and sends back the
 * address. Ignores Ctrl-C, which the terminal sends to both: the sandbox exits when the parent disconnects.
 */
export function runForked(send: NonNullable<typeof process.send>): void {
  process.on('SIGINT', () => undefined);
  process.once('disconnect', () => process.exit(0));
  process.once('message', (message) => {
    startForked(message).then(
      (answer) => send(answer),
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        send({ type: 'failed', message: reason }, undefined, undefined, () => process.exit(1));
      },
    );
  });
}

async function startForked(message: unknown) {
  const { port, seed } = parseInput(startMessageSchema, message);
  const { addresses, caCertificate } = await start(seed, port);
  return { type: 'listening', origin: new URL(addresses.control).origin, caCertificate };
}
