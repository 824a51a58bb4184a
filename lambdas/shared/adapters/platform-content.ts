import { isContentId } from '../../../core/restore/content-id';
import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type ActingUser } from '../../../core/restore/restore-operation';
import { type Clock, type ContentPlatform, type UpstreamResult, type UpstreamToken } from '../ports';
import { HttpsError, type HttpsRequest, sendHttps } from './https-client';

const CONNECT_TIMEOUT_MS = 3_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * The platform's restore operation over HTTPS. The configuration sets its method, path and place of the acting user.
 * @see the platform's specification, "Endpoints" 3
 */
export class HttpsContentPlatform implements ContentPlatform {
  private readonly deployment: DeploymentFile;
  private readonly clock: Clock;
  private readonly sendRequest: typeof sendHttps;
  /** The restore operation's URL, and its path and query before and after the content id. */
  private readonly restoreUrl: URL;
  private readonly restorePath: readonly string[];

  constructor(deployment: DeploymentFile, clock: Clock, sendRequest = sendHttps) {
    this.deployment = deployment;
    this.clock = clock;
    this.sendRequest = sendRequest;
    this.restoreUrl = new URL(`${deployment.platform.contentBaseUrl}${deployment.restore.path}`);
    const { pathname, search } = this.restoreUrl;
    this.restorePath = `${pathname}${search}`.split(/\{contentId\}|%7BcontentId%7D/);
  }

  async restore(
    contentId: string,
    actingUser: ActingUser,
    token: UpstreamToken,
    deadlineMs: number,
  ): Promise<UpstreamResult> {
    const { actingUserIn, actingUserHeaders } = this.deployment.restore;
    const isInHeader = actingUserIn === 'header';
    return this.send({ url: this.restoreUrl, path: this.pathOf(contentId) }, token, deadlineMs, {
      headers: isInHeader ? headersOf(actingUser, actingUserHeaders) : {},
      body: isInHeader ? {} : actingUser,
    });
  }

  probe(path: string, token: UpstreamToken, deadlineMs: number): Promise<UpstreamResult> {
    const url = new URL(`${this.deployment.platform.contentBaseUrl}${path}`);
    return this.send({ url }, token, deadlineMs, { headers: {}, body: {} });
  }

  private async send(
    address: Pick<HttpsRequest, 'url' | 'path'>,
    token: UpstreamToken,
    deadlineMs: number,
    { headers, body }: { headers: Record<string, string>; body: object },
  ): Promise<UpstreamResult> {
    const leftMs = Math.max(1, Math.floor(deadlineMs - this.clock.monotonicMs()));
    try {
      const answer = await this.sendRequest({
        ...address,
        method: this.deployment.restore.method,
        headers: {
          authorization: `Bearer ${token.accessToken}`,
          'content-type': 'application/json',
          accept: 'application/json',
          ...headers,
        },
        body: JSON.stringify(body),
        connectTimeoutMs: Math.min(CONNECT_TIMEOUT_MS, leftMs),
        totalTimeoutMs: leftMs,
        maxAnswerBytes: MAX_ANSWER_BYTES,
      });
      return {
        kind: 'answered',
        status: answer.status,
        retryAfter: answer.headers['retry-after'],
        body: answer.body,
      };
    } catch (error) {
      if (!(error instanceof HttpsError)) throw error;
      if (!error.isSent) return { kind: 'not_sent', reason: error.message };
      return { kind: error.isAnswered ? 'unreadable' : 'no_answer', reason: error.message };
    }
  }

  /** @throws {Error} if the id would change the path (threat T3), which validation already prevents */
  private pathOf(contentId: string): string {
    if (!isContentId(contentId)) throw new Error('the content id changes the path');
    return this.restorePath.join(contentId);
  }
}

function headersOf(
  { authorRef, collaborationId }: ActingUser,
  names: Required<ActingUser>,
): Record<string, string> {
  return {
    ...(authorRef !== undefined && { [names.authorRef]: authorRef }),
    ...(collaborationId !== undefined && { [names.collaborationId]: collaborationId }),
  };
}
