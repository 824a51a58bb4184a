import { setTimeout as sleep } from 'node:timers/promises';

const PIECES = 10;

/**
 * Returns the answer with its body split into up to ten chunks, the last of which is sent after `overMs`. An answer without a
 * body is not delayed. Stops when the client disconnects.
 */
export function slowly(answer: Response, overMs: number, clientLeft: AbortSignal): Response {
  if (!answer.body) return answer;
  return new Response(ReadableStream.from(piecesOf(answer, overMs, clientLeft)), answer);
}

/** Waits, and returns whether the client is still connected. */
export async function waitWhileConnected(delayMs: number, clientLeft: AbortSignal): Promise<boolean> {
  try {
    await sleep(delayMs, undefined, { signal: clientLeft, ref: false });
    return true;
  } catch (error) {
    if (clientLeft.aborted) return false;
    throw error;
  }
}

async function* piecesOf(answer: Response, overMs: number, clientLeft: AbortSignal) {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const pieceBytes = Math.ceil(bytes.length / PIECES);
  const count = Math.ceil(bytes.length / pieceBytes);
  for (let n = 0; n < count; n += 1) {
    if (!(await waitWhileConnected(overMs / count, clientLeft))) return;
    yield bytes.subarray(n * pieceBytes, (n + 1) * pieceBytes);
  }
}
