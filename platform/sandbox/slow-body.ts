import { setTimeout as sleep } from 'node:timers/promises';

const PIECES = 10;

/**
 * The same answer, whose body comes in up to ten pieces, the last of them after so many milliseconds. Without a body there
 * is nothing to wait for. It ends early when the client leaves.
 */
export function slowly(answer: Response, overMs: number, clientLeft: AbortSignal): Response {
  if (!answer.body) return answer;
  return new Response(ReadableStream.from(piecesOf(answer, overMs, clientLeft)), answer);
}

/** Waits so long. Returns whether the client stayed. */
export async function waited(delayMs: number, clientLeft: AbortSignal): Promise<boolean> {
  try {
    await sleep(delayMs, undefined, { signal: clientLeft });
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
    if (!(await waited(overMs / count, clientLeft))) return;
    yield bytes.subarray(n * pieceBytes, (n + 1) * pieceBytes);
  }
}
