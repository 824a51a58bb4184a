import { GUARANTEED_LIFE_SEC } from '../../core/tokens/lifetimes';
import { sha256Hex } from '../../core/secrets/sha256';
import { type ChosenToken } from '../choose-tenant';
import { type CommandContext } from '../command';
import { CommandError } from '../command-error';
import { tenantCommand } from '../command-text';
import { ensureExitCode, ensureToken } from '../ensure-token';
import { EXIT } from '../exit-codes';
import { readToken } from '../read-token';
import { type ChosenTenant } from '../system';
import { type AuthorizedHeaders, type Authorizer, type UnsignedRequest } from './authorizer';

/** A token must be valid for longer than a request takes. */
const MIN_VALIDITY_MS = 60_000;

interface HeldToken {
  accessToken: string;
  expiresAtMs: number;
}

/** Authorizes with the tenant's content token `api/write`: held in memory, and read again before it expires. */
export class BearerAuthorizer implements Authorizer {
  readonly #context: CommandContext;
  readonly #chosen: ChosenToken;
  #held: HeldToken | undefined;
  /** Concurrent requests share one fetch. */
  #fetching: Promise<HeldToken> | undefined;

  /** @throws {CommandError} if the tenant has no such token */
  constructor(context: CommandContext, chosen: ChosenTenant) {
    this.#context = context;
    const token = chosen.tenant.tokens.find(
      (each) => each.interface === 'content' && each.scope === 'api/write',
    );
    if (token === undefined) {
      const message = `${chosen.tenant.tenantId} has no content token api/write`;
      const advice = 'Restore needs one: add it to the configuration, and deploy.';
      throw new CommandError(EXIT.failed, 'no_token', message, { advice });
    }
    this.#chosen = { ...chosen, token };
  }

  async authorize({ headers }: UnsignedRequest): Promise<AuthorizedHeaders> {
    const isGood =
      this.#held !== undefined && this.#held.expiresAtMs - this.#context.nowMs() >= MIN_VALIDITY_MS;
    const { accessToken } = isGood ? this.#held! : await this.#fetch();
    return { ...headers, authorization: `Bearer ${accessToken}` };
  }

  async renew({ authorization = '' }: AuthorizedHeaders): Promise<void> {
    const refused = authorization.replace('Bearer ', '');
    // Another request may already have renewed it.
    if (this.#held?.accessToken === refused) await this.#fetch(refused);
  }

  #fetch(refused?: string): Promise<HeldToken> {
    this.#fetching ??= this.#readEnsured(refused).finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  async #readEnsured(refused: string | undefined): Promise<HeldToken> {
    const { deployment, tenant, token } = this.#chosen;
    const { tenantId } = tenant;
    const digest = refused && sha256Hex(refused);
    const answer = await ensureToken(this.#context, deployment, tenantId, token, GUARANTEED_LIFE_SEC, digest);
    if (!answer.ok) {
      const { code, message } = answer.error;
      throw new CommandError(ensureExitCode(code), code, `no token for the restore API: ${message}`, {
        advice: `Nothing was sent. To find out why: ${tenantCommand(this.#chosen, 'doctor')}`,
      });
    }
    const { accessToken, expiresAt } = await readToken(this.#context, this.#chosen);
    this.#held = { accessToken, expiresAtMs: Date.parse(expiresAt) };
    return this.#held;
  }
}
