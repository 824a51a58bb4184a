import { type Problem } from '../problem';
import { type ActingUser, type RestoredRecord } from '../restore-operation';
import { type DocumentedAnswer } from './answers';

/** Ids that do not exist. */
export const EXAMPLE_TENANT_ID = 'eu-west-2_AbcdEfghI';
export const EXAMPLE_CONTENT_ID = '64b7f0c2a1b2c3d4e5f60718';
const EXAMPLE_REQUEST_ID = '0c8f2a4e-6b1d-4f3a-9e57-2d7c1b8a9f60';

/** Request bodies. */
export const REQUEST_EXAMPLES: Record<string, { summary: string; value: ActingUser }> = {
  author: { summary: 'A user acts', value: { authorRef: 'author-1' } },
  collaboration: {
    summary: 'A collaboration owns the content; no user is named',
    value: { collaborationId: 'collaboration-1' },
  },
  both: {
    summary: 'A user acts for a collaboration',
    value: { authorRef: 'author-1', collaborationId: 'collaboration-1' },
  },
};

/** A success with one item that the platform could not process. */
export const RECORD_EXAMPLE: RestoredRecord = {
  id: EXAMPLE_CONTENT_ID,
  status: 'published',
  items: [
    { id: 'item-1', type: 'video', rank: 1, summary: 'Welcome', status: 'ok' },
    { id: 'item-2', type: 'quiz', rank: 2, summary: 'Check', status: 'error', failureReason: 'no questions' },
  ],
};

/** An example of an error's body. */
export function problemExample(code: Problem['code'], { title, status, detail }: DocumentedAnswer): Problem {
  return { type: 'about:blank', title, status, detail, code, requestId: EXAMPLE_REQUEST_ID };
}
