import { type FromHost, type ToHost } from './host-messages';
import { runHost } from './host';
import { type Reporter } from 'cdk-on-loopback';

/**
 * The host program. Its parent starts it over an IPC channel, and its first message says what to run. It exits when its
 * parent sends `stop` or disconnects, and on SIGINT or SIGTERM.
 */
function main(): void {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  process.on('disconnect', () => stop.abort());
  process.on('message', (message: ToHost) => {
    if (message.type === 'stop') return stop.abort();
    runHost(message.options, reporterOver(stop.signal), stop.signal, (consoleUrl) =>
      tell({ type: 'up', ...(consoleUrl !== undefined && { consoleUrl }) }),
    ).then(
      () => process.exit(0),
      (error: Error) => tell({ type: 'failed', message: error.message }, () => process.exit(1)),
    );
  });
}

function reporterOver(stopping: AbortSignal): Reporter {
  let lastMs = performance.now();
  return {
    step: (text) => {
      const nowMs = performance.now();
      tell({ type: 'step', text, ms: Math.round(nowMs - lastMs) });
      lastMs = nowMs;
    },
    functionLog: (functionName, line) => tell({ type: 'log', functionName, line }),
    // While the run stops, work that breaks off is expected.
    warning: (text) => (stopping.aborted ? undefined : tell({ type: 'warning', text })),
  };
}

/** Sends a message and calls `told`, also if the parent has exited and nothing can be sent. */
function tell(message: FromHost, told: () => void = () => undefined): void {
  if (process.connected) process.send!(message, undefined, undefined, told);
  else told();
}

main();
