import { type System } from '../../../../cli/system';
import { type Problem } from '../../../../core/restore/problem';
import { HttpsError } from '../../../../lambdas/shared/adapters/https-client';

export const REQUEST_ID = '7f4d2c1a-0b3e-4f5a-8c6d-9e0f1a2b3c4d';

type Answer = Awaited<ReturnType<System['sendRequest']>>;
type Request = Parameters<System['sendRequest']>[0];

/** How the restore API answers one request. */
export type Step = (contentId: string, request: Request) => Answer;

/** A failed answer of the restore API. */
export function problem(
  status: number,
  code: Problem['code'],
  headers: Record<string, string> = {},
  detail = 'canary-detail',
): Step {
  const body = { type: 'about:blank', title: 'title', status, detail, code, requestId: REQUEST_ID };
  return () => ({
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
    body: JSON.stringify(body),
  });
}

/** The connection breaks. */
export function broken(isSent: boolean): Step {
  return () => {
    throw new HttpsError(
      isSent ? 'reset' : 'connect',
      isSent ? 'connection broke (ECONNRESET)' : 'no connection (ECONNREFUSED)',
      isSent,
    );
  };
}

/** Restores, and refuses what is already published, as the platform does. */
export class FakeRestoreApi {
  readonly published = new Set<string>();
  readonly requests: { contentId: string; request: Request }[] = [];
  readonly #steps = new Map<string, Step[]>();
  #always: Step | undefined;

  /** Steps for the next requests for a content. */
  script(contentId: string, ...steps: Step[]): void {
    this.#steps.set(contentId, [...(this.#steps.get(contentId) ?? []), ...steps]);
  }

  /** The step for every request that is not scripted. */
  always(step: Step | undefined): void {
    this.#always = step;
  }

  /** How many requests there were for a content. */
  countOf(contentId: string): number {
    return this.requests.filter((request) => request.contentId === contentId).length;
  }

  send: System['sendRequest'] = async (request) => {
    const contentId = request.url.pathname.split('/').at(-2)!;
    this.requests.push({ contentId, request });
    const step = this.#steps.get(contentId)?.shift() ?? this.#always ?? this.restore;
    return step(contentId, request);
  };

  /** Sends a request for a content. */
  async request(contentId: string): Promise<Answer> {
    return this.send({ url: new URL(`https://restore.example/contents/${contentId}/restore`) } as Request);
  }

  readonly restore: Step = (contentId, request) => this.restoreWithErrors(0)(contentId, request);

  /** Restores a content with this many items in error. */
  restoreWithErrors(itemsInError: number): Step {
    return (contentId, request) => {
      if (this.published.has(contentId)) return problem(409, 'not_archived')(contentId, request);
      this.published.add(contentId);
      const item = { id: 'i', type: 'file', rank: 0, summary: 'Part 1', status: 'ok' };
      const failed = { ...item, status: 'error', failureReason: 'canary-reason' };
      return {
        status: 200,
        headers: { 'x-amzn-requestid': REQUEST_ID },
        body: JSON.stringify({
          id: contentId,
          status: 'published',
          items: [item, ...Array<object>(itemsInError).fill(failed)],
        }),
      };
    };
  }

  /** Restores the content without sending an answer. */
  readonly restoreAndBreak: Step = (contentId, request) => {
    this.restore(contentId, request);
    return broken(true)(contentId, request);
  };
}
