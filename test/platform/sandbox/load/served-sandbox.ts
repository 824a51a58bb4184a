/** A sandbox in a separate process, which reports its memory use to its parent on any message. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sandboxApp } from '../../../../platform/sandbox/sandbox';
import { createState } from '../../../../platform/sandbox/sandbox-state';
import { startServer } from '../../../../platform/sandbox/https-server';
import { SEED } from '../platform-under-test';

const TURNS = 5;
const TURN_MS = 20;

/** Sent when the sandbox is ready. */
export interface Served {
  readonly origin: string;
  readonly caCertificate: string;
}
/** After a garbage collection. */
export interface MemoryUse {
  readonly heapBytes: number;
  readonly residentBytes: number;
}

async function serve(tell: NonNullable<typeof process.send>): Promise<void> {
  const onUnexpectedError = (error: Error) => process.stderr.write(`unexpected ${error.stack}\n`);
  const { origin, caCertificate } = await startServer(sandboxApp(createState(SEED), onUnexpectedError), 0);
  process.on('disconnect', () => process.exit());
  process.on('message', () => void settled().then(() => tell(memoryUse())));
  tell({ origin, caCertificate } satisfies Served);
}

/** Finalizers run in later turns of the event loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    global.gc?.();
    await sleep(TURN_MS);
  }
}

function memoryUse(): MemoryUse {
  const { heapUsed, rss } = process.memoryUsage();
  return { heapBytes: heapUsed, residentBytes: rss };
}

void serve(process.send!.bind(process));
