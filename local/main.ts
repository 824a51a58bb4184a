import { type FromHost, type ToHost } from './host-messages';
import { runHost } from './host';
import { type Reporter } from './interfaces';

/**
 * The host program: started with an IPC channel, told what to run by its first message, and over when it is told to
 * stop, interrupted, or left alone by who started it.
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
    // What ends in the middle of its work because the run ends is no news.
    warning: (text) => (stopping.aborted ? undefined : tell({ type: 'warning', text })),
  };
}

/** Who started the program may be gone; then nobody is told, and `told` is called all the same. */
function tell(message: FromHost, told: () => void = () => undefined): void {
  if (process.connected) process.send!(message, undefined, undefined, told);
  else told();
}

main();
