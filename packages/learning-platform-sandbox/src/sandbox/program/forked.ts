import { z } from 'zod';
import { faultSchema, unsupportedEffects } from '../fault';
import { InvalidInputError, parseInput } from '../validation';
import { start } from './start-sandbox';

const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), port: z.int().min(0).max(65_535), seed: z.unknown() }),
  z.object({ type: z.literal('check fault'), fault: z.unknown() }),
]);

/**
 * Runs the sandbox for a parent process with an IPC channel. Reads port and seed from the first message, and sends back the
 * addresses; or only checks a fault, and sends back what is wrong with it. Ignores Ctrl-C, which the terminal sends to both: the
 * sandbox exits when the parent disconnects.
 */
export function runForked(send: NonNullable<typeof process.send>): void {
  process.on('SIGINT', () => undefined);
  process.once('disconnect', () => process.exit(0));
  process.once('message', (message) => {
    answerTo(message).then(
      (answer) => send(answer),
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        send({ type: 'failed', message: reason }, undefined, undefined, () => process.exit(1));
      },
    );
  });
}

async function answerTo(message: unknown) {
  const request = parseInput(messageSchema, message);
  if (request.type === 'check fault') return { type: 'checked', issues: issuesOf(request.fault) };
  const { port, seed } = request;
  const { addresses, caCertificate } = await start(seed, port);
  return { type: 'listening', origin: new URL(addresses.control).origin, addresses, caCertificate };
}

/** What is wrong with a fault for a sandbox on one port. */
function issuesOf(fault: unknown): readonly string[] {
  try {
    parseInput(faultSchema, fault, (input) =>
      unsupportedEffects(input, { certificateFaults: false, connectionFaults: true }),
    );
    return [];
  } catch (error) {
    if (error instanceof InvalidInputError) return error.issues;
    throw error;
  }
}
