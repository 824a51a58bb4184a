import { type DeploymentFile } from '../../../contract/deployment-file';
import { type ActingUser } from '../../../contract/restore-operation';
import { type Clock, type ContentPlatform, type UpstreamResult, type UpstreamToken } from '../ports';
import { HttpsError, sendHttps } from './https-client';

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

  /** @param sendRequest sends the requests */
  constructor(deployment: DeploymentFile, clock: Clock, sendRequest = sendHttps) {
    this.deployment = deployment;
    this.clock = clock;
    this.sendRequest = sendRequest;
  }

  async restore(
    contentId: string,
    actingUser: ActingUser,
    token: UpstreamToken,
    deadlineMs: number,
  ): Promise<UpstreamResult> {
    const { actingUserIn, actingUserHeaders } = this.deployment.restore;
    const isInHeader = actingUserIn === 'header';
    return this.send(this.urlOf(contentId), token, deadlineMs, {
      headers: isInHeader ? headersOf(actingUser, actingUserHeaders) : {},
      body: isInHeader ? {} : actingUser,
    });
  }

  probe(path: string, token: UpstreamToken, deadlineMs: number): Promise<UpstreamResult> {
    const url = new URL(`${this.deployment.platform.contentBaseUrl}${path}`);
    return this.send(url, token, deadlineMs, { headers: {}, body: {} });
  }

  private async send(
    url: URL,
    token: UpstreamToken,
    deadlineMs: number,
    { headers, body }: { headers: Record<string, string>; body: object },
  ): Promise<UpstreamResult> {
    const leftMs = Math.max(1, Math.floor(deadlineMs - this.clock.monotonicMs()));
    try {
      const answer = await this.sendRequest({
        url,
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
  private urlOf(contentId: string): URL {
    const { platform, restore } = this.deployment;
    const [before, after] = `${platform.contentBaseUrl}${restore.path}`.split('{contentId}') as [
      string,
      string,
    ];
    const url = new URL(`${before}${encodeURIComponent(contentId)}${after}`);
    if (url.href !== `${before}${contentId}${after}`) throw new Error('the content id changes the path');
    return url;
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
