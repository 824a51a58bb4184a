function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const PATIENCE_MS = 10_000;

/** Resolves when a process has exited; rejects if it does not. */
export async function gone(pid: number): Promise<void> {
  const untilMs = Date.now() + PATIENCE_MS;
  while (isRunning(pid)) {
    if (Date.now() > untilMs) throw new Error(`process ${pid} is still running`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
