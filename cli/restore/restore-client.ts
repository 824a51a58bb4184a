import { RESTORE_PATH, type RestoreAuth } from '../../core/restore/restore-operation';
import { HttpsError } from '../../lambdas/shared/adapters/https-client';
import { type CommandContext } from '../command';
import { CommandError } from '../command-error';
import { EXIT } from '../exit-codes';
import { type ChosenTenant, type Deployment, type RestoreApi } from '../system';
import { interpretAnswer, interpretError, type RestoreAnswer } from './answer';
import { type AuthorizedHeaders, type Authorizer, type UnsignedRequest } from './authorizer';
import { BearerAuthorizer } from './bearer-authorizer';
import { type RestoreItem } from './item';
import { SignatureAuthorizer } from './signature-authorizer';

const CONNECT_TIMEOUT_MS = 5_000;
/** Longer than API Gateway's own timeout of 29 s. */
const TOTAL_TIMEOUT_MS = 35_000;
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/** Client of a deployment's restore API, for one tenant. */
export class RestoreClient {
  readonly url: string;
  readonly #auth: RestoreAuth;
  readonly #authorizer: Authorizer;
  readonly #chosen: ChosenTenant;
  readonly #nowMs: () => number;
  readonly #trace: { readonly traceparent?: string };

  private constructor(context: CommandContext, chosen: ChosenTenant, api: RestoreApi) {
    const { url, auth, clockAheadMs = 0 } = api;
    this.url = url;
    this.#auth = auth;
    this.#authorizer =
      auth === 'iam'
        ? new SignatureAuthorizer(context, chosen.deployment, clockAheadMs)
        : new BearerAuthorizer(context, chosen);
    this.#chosen = chosen;
    this.#nowMs = context.nowMs;
    const { traceparent } = context;
    this.#trace = traceparent === undefined ? {} : { traceparent };
  }

  /** @throws {CommandError} if the deployment has no restore API, or its address is invalid */
  static async open(context: CommandContext, chosen: ChosenTenant): Promise<RestoreClient> {
    const api = await chosen.deployment.restoreApi();
    const { url } = api;
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:') throw badAddress(chosen.deployment);
    return new RestoreClient(context, chosen, api);
  }

  /** The headers for one request; call it for each request. Sends nothing to the restore API. @throws {CommandError} */
  authorize(item: RestoreItem): Promise<AuthorizedHeaders> {
    return this.#authorizer.authorize(this.#requestFor(item));
  }

  /** After a 401: replaces the refused token, so that a retry can succeed. @throws {CommandError} */
  renew(refused: AuthorizedHeaders): Promise<void> {
    return this.#authorizer.renew(refused);
  }

  /** Sends one request, once. A failure to connect is also an answer. */
  async post(item: RestoreItem, headers: AuthorizedHeaders): Promise<RestoreAnswer> {
    try {
      const answer = await this.#chosen.system.sendRequest({
        ...this.#requestFor(item),
        // After signing: a proxy on the way may change it.
        headers: { ...headers, ...this.#trace },
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
        totalTimeoutMs: TOTAL_TIMEOUT_MS,
        maxAnswerBytes: MAX_ANSWER_BYTES,
      });
      return interpretAnswer(answer, item.contentId, this.#auth, this.#nowMs());
    } catch (error) {
      if (!(error instanceof HttpsError)) throw error;
      return interpretError(error);
    }
  }

  #requestFor({ contentId, actingUser }: RestoreItem): UnsignedRequest {
    const { tenantId } = this.#chosen.tenant;
    const path = RESTORE_PATH.replace('{tenantId}', tenantId).replace('{contentId}', contentId);
    return {
      url: new URL(`${this.url}${path}`),
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(actingUser),
    };
  }
}

function badAddress({ stackName }: Deployment): CommandError {
  const message = `the address of the restore API of ${stackName} is not an https URL`;
  const advice = `Nothing was sent. Deploy to publish the address again: npx cdk deploy '${stackName}*'`;
  return new CommandError(EXIT.failed, 'bad_restore_api_address', message, { advice });
}
