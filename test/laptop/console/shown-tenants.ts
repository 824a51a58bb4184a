import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type TokenType } from '../../../core/deployment/platform';
import { tokenSecretName } from '../../../core/secrets/secret-names';
import { type ConsoleInput } from '../../../laptop/console/console-view';
import { DAY_MS, DEPLOYMENT, DEPLOYMENT_KEY, HOUR_MS, NOW_MS, ShownAccount } from './shown-account';

const TOKENS: readonly TokenType[] = [
  { interface: 'content', scope: 'api/read' },
  { interface: 'content', scope: 'api/write' },
  { interface: 'webhooks', scope: 'api/webhooks' },
];

/** An account with many tenants, each with two credentials and three tokens, whose tokens can be renewed. */
export class ShownTenants {
  private readonly shown = new ShownAccount();
  private readonly file: DeploymentFile;

  constructor(count: number) {
    const tenants = Array.from({ length: count }, (_, n) => ({
      tenantId: `eu-west-2_T${String(n).padStart(4, '0')}`,
      tokens: [...TOKENS],
      adopted: {},
    }));
    this.file = { ...DEPLOYMENT, tenants };
    for (const { tenantId } of tenants) {
      const root = `latchkey/staging/mea/${tenantId}`;
      const createdAtMs = NOW_MS - 10 * DAY_MS;
      this.shown.put(`${root}/client-credentials`, {
        versionId: 'v-client',
        createdAtMs,
        secretString: '{}',
      });
      this.shown.put(`${root}/api-key`, {
        createdAtMs,
        secretString: '{"apiKey":"CANARY","validUntil":"2027-07-26T12:00:00.000Z"}',
      });
      for (const token of TOKENS) this.store(tenantId, token, NOW_MS + HOUR_MS);
    }
  }

  /** Stores a token that expires then. */
  store(tenantId: string, token: TokenType, expiresAtMs: number): void {
    const key = { ...DEPLOYMENT_KEY, tenantId, ...token };
    const name = tokenSecretName('latchkey', key);
    this.shown.put(name, {
      versionId: 'v-token',
      secretString: JSON.stringify({
        ...key,
        accessToken: 'CANARY-access-token',
        tokenType: 'Bearer',
        issuedAt: new Date(expiresAtMs - HOUR_MS).toISOString(),
        expiresAt: new Date(expiresAtMs).toISOString(),
        credentialVersionId: 'v-client',
      }),
    });
  }

  input(): ConsoleInput {
    const input = this.shown.input();
    return {
      ...input,
      deployments: [{ file: this.file, stack: 'latchkey-staging-mea', hasRestoreApi: true }],
    };
  }
}
