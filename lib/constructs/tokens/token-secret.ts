import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import { Construct, type IConstruct } from 'constructs';

import { KIND_TAG } from '../../../core/secrets/credential-labels';
import { parameterName } from '../../../core/deployment/parameter-names';
import { DEFAULT_PREFIX, tokenSecretName } from '../../../core/secrets/secret-names';
import {
  deploymentName,
  deploymentText,
  tokenKeyText,
  tokenKeyOf,
  tokenTypeName,
} from '../../../core/tokens/token-key';
import { type TokenKey } from '../../../core/tokens/public-keys';
import { sha256Hex } from '../../../core/secrets/sha256';
import { type DeploymentSettings } from '../deployment-settings';
import { type Replica } from '../../options/replica-regions-settings';
import { checkNames } from '../internal/check-names';
import { grantStatement } from '../internal/grant-statement';
import { keyStatement } from '../internal/key-statement';
import { secretArnPattern } from '../internal/secret-arns';
import { type OnlyReaders, SecretShell } from '../internal/secret-shell';

export interface TokenSecretProps {
  /** @default latchkey */
  readonly prefix?: string;
  readonly key: TokenKey;
  /** ARN of the key of the secret. */
  readonly encryptionKeyArn: string;
  /** ARNs of keys that the secret had before, while its key changes. @default none */
  readonly otherKeyArns?: readonly string[];
  /** AWS regions to which the secret is replicated. @default none */
  readonly replicas?: readonly Replica[];
  /** Other accounts that may allow their roles to read the token. @default none */
  readonly readerAccounts?: readonly string[];
  /** Ids of organizations whose other accounts may all do the same. @default none */
  readonly readerOrganizations?: readonly string[];
  /**
   * Who may read the token, besides those accounts. @default IAM policies decide
   * @internal
   */
  readonly onlyReaders?: OnlyReaders;
  /** ARN of the deployment's token-refresh function. @default the one that the deployment's stack published */
  readonly tokenRefreshArn?: string;
}

/** Where to find a token whose secret another stack created. */
export interface ForeignTokenOptions {
  /** @default latchkey */
  readonly prefix?: string;
  /**
   * Keys that the token may be encrypted with besides the deployment's, while that changes: the one before and the next.
   * @default none
   */
  readonly otherKeyArns?: readonly string[];
  /** Other AWS regions with replicas, and the keys there: as the deployment has them. @default none may be read */
  readonly replicas?: readonly Replica[];
  /**
   * Account, AWS region and resources of a deployment in another account or region. Needed because SSM parameters cannot
   * be read across accounts.
   * @default the stack's account and region, and the deployment's SSM parameters
   */
  readonly owner?: {
    readonly account: string;
    readonly region: string;
    readonly encryptionKeyArn: string;
    readonly tokenRefreshArn?: string;
  };
}

/** A token that Latchkey keeps fresh in Secrets Manager. */
export interface ITokenSecret extends IConstruct {
  /** The secret's ARN; if another stack created the secret, a pattern that matches only this secret. */
  readonly secretArn: string;
  /** Grants reading this token and nothing else; also its replicas, if the app knows of them. */
  grantReadToken(grantee: iam.IGrantable): iam.Grant;
  /** Grants requesting a valid token from token-refresh. The response contains no token. */
  grantEnsureFresh(grantee: iam.IGrantable): iam.Grant;
  /**
   * Environment variables for a service that reads this token: LATCHKEY_TOKEN, its key for the client library's `parseTokenKey`;
   * LATCHKEY_TOKEN_SECRET, the name of the secret; and TOKEN_REFRESH_ARN. None is a secret.
   */
  environment(): Record<string, string>;
}

/** Shared by the secret itself and references to it from other stacks. */
export abstract class TokenSecretBase extends Construct implements ITokenSecret {
  abstract readonly secretArn: string;
  protected abstract readonly encryptionKeyArn: string;
  protected abstract readonly otherKeyArns: readonly string[];
  /** AWS region of the secret. */
  protected abstract readonly region: string;
  protected readonly replicas: readonly Replica[] = [];
  protected abstract readonly key: TokenKey;
  protected abstract readonly prefix: string;
  /** ARN pattern of the secret and its replicas. */
  protected abstract arnIn(region: string): string;
  protected abstract tokenRefreshArn(): string;

  grantReadToken(grantee: iam.IGrantable): iam.Grant {
    const decrypt = keyStatement(this, {
      keyArn: this.encryptionKeyArn,
      otherKeyArns: this.otherKeyArns,
      secretArns: [this.secretArn],
      actions: ['kms:Decrypt'],
      region: this.region,
    });
    const read = new iam.PolicyStatement({
      actions: ['secretsmanager:GetSecretValue'],
      resources: [this.secretArn, ...this.replicas.map(({ region }) => this.arnIn(region))],
    });
    const decryptReplicas = this.replicas.flatMap(({ region, kmsKeyArn }) =>
      kmsKeyArn === undefined
        ? []
        : keyStatement(this, {
            keyArn: kmsKeyArn,
            // AWS does not say whether the context of a replica has its own ARN or that of its primary secret.
            secretArns: [this.arnIn('*')],
            actions: ['kms:Decrypt'],
            region,
          }),
    );
    return [decrypt, read, ...decryptReplicas]
      .map((statement) => grantStatement(grantee, statement))
      .reduce((all, grant) => all.combine(grant));
  }

  grantEnsureFresh(grantee: iam.IGrantable): iam.Grant {
    return iam.Grant.addToPrincipal({
      grantee,
      actions: ['lambda:InvokeFunction'],
      resourceArns: [this.tokenRefreshArn()],
    });
  }

  environment(): Record<string, string> {
    return {
      LATCHKEY_TOKEN: JSON.stringify(tokenKeyOf(this.key, this.key)),
      LATCHKEY_TOKEN_SECRET: tokenSecretName(this.prefix, this.key),
      TOKEN_REFRESH_ARN: this.tokenRefreshArn(),
    };
  }
}

/** The secret of one token key. Deleting it is harmless: token-sweep fills a new one. */
export class TokenSecret extends TokenSecretBase {
  /**
   * A reference to a token from another stack, repository or account.
   * In the same account, only the key is needed. From another account, pass `owner`, and list the account in the token's
   * `readerAccounts`, or its organization in `readerOrganizations`.
   */
  static fromKey(scope: Construct, key: TokenKey, options: ForeignTokenOptions = {}): ITokenSecret {
    const { prefix = DEFAULT_PREFIX } = options;
    checkNames(scope.node.path, key, prefix, key);
    const place = [options.prefix, options.owner?.account, options.owner?.region].filter(
      (part) => part !== undefined,
    );
    const id = idOf(key, ['Token', deploymentName(key), key.tenantId, tokenTypeName(key, '-'), ...place]);
    const known = scope.node.tryFindChild(id) as ForeignTokenSecret | undefined;
    return known ?? new ForeignTokenSecret(scope, id, key, foreignPlace(scope, key, options));
  }

  readonly secretArn: string;
  protected readonly encryptionKeyArn: string;
  protected readonly otherKeyArns: readonly string[];
  protected readonly region: string;
  protected override readonly replicas: readonly Replica[];
  protected readonly key: TokenKey;
  protected readonly prefix: string;
  private readonly props: TokenSecretProps;

  constructor(scope: Construct, id: string, props: TokenSecretProps) {
    super(scope, id);
    this.props = props;
    const { key, prefix = DEFAULT_PREFIX, readerAccounts, readerOrganizations, onlyReaders } = props;
    const { encryptionKeyArn, otherKeyArns = [], replicas = [] } = props;
    this.key = key;
    this.prefix = prefix;
    this.encryptionKeyArn = encryptionKeyArn;
    this.otherKeyArns = otherKeyArns;
    this.region = Stack.of(this).region;
    this.replicas = replicas;
    this.secretArn = new SecretShell(this, 'Shell', {
      secretName: tokenSecretName(prefix, key),
      description: `${[key.interface, 'token', key.scope].filter(Boolean).join(' ')} of ${key.tenantId} on ${deploymentText(key)}`,
      encryptionKeyArn,
      tags: { [KIND_TAG]: 'token' },
      removalPolicy: RemovalPolicy.DESTROY,
      noRotationReason:
        'Replaced by token-sweep every 40 minutes, more often than Secrets Manager can rotate.',
      readerAccounts,
      readerOrganizations,
      onlyReaders,
      replicas,
    }).secretArn;
  }

  protected arnIn(region: string): string {
    return secretArnPattern(this, tokenSecretName(this.prefix, this.key), { region });
  }

  protected tokenRefreshArn(): string {
    return this.props.tokenRefreshArn ?? publishedBy(this, this.prefix, this.key, 'token-refresh-arn');
  }
}

/** What policies need to know of a token whose secret another construct creates. */
interface TokenPlace {
  readonly prefix: string;
  readonly account?: string;
  readonly region?: string;
  readonly encryptionKeyArn: string;
  readonly otherKeyArns: readonly string[];
  readonly replicas?: readonly Replica[] | undefined;
  readonly tokenRefreshArn: () => string;
}

/**
 * A token of this app's deployment whose secret is in another stack.
 * @internal
 */
export function knownToken(
  scope: Construct,
  key: TokenKey,
  { prefix, keys, replicas }: DeploymentSettings,
  tokenRefreshArn: string,
): ITokenSecret {
  const id = idOf(key, ['Token', key.tenantId, tokenTypeName(key, '-')]);
  return (
    (scope.node.tryFindChild(id) as ForeignTokenSecret | undefined) ??
    new ForeignTokenSecret(scope, id, key, {
      prefix,
      encryptionKeyArn: keys.encryptionKeyArn,
      otherKeyArns: keys.formerKeyArns ?? [],
      replicas,
      tokenRefreshArn: () => tokenRefreshArn,
    })
  );
}

class ForeignTokenSecret extends TokenSecretBase {
  readonly secretArn: string;
  protected readonly encryptionKeyArn: string;
  protected readonly otherKeyArns: readonly string[];
  protected readonly region: string;
  protected override readonly replicas: readonly Replica[];
  protected readonly key: TokenKey;
  protected readonly prefix: string;
  private readonly place: TokenPlace;

  constructor(scope: Construct, id: string, key: TokenKey, place: TokenPlace) {
    super(scope, id);
    this.place = place;
    this.key = key;
    this.prefix = place.prefix;
    this.replicas = place.replicas ?? [];
    this.otherKeyArns = place.otherKeyArns;
    this.secretArn = secretArnPattern(this, tokenSecretName(place.prefix, key), place);
    this.encryptionKeyArn = place.encryptionKeyArn;
    this.region = place.region ?? Stack.of(this).region;
  }

  protected arnIn(region: string): string {
    return secretArnPattern(this, tokenSecretName(this.place.prefix, this.key), { ...this.place, region });
  }

  protected tokenRefreshArn(): string {
    return this.place.tokenRefreshArn();
  }
}

/** The id of a reference. Names of other issuers may have hyphens anywhere, and one token must not stand for another. */
function idOf(key: TokenKey, parts: readonly string[]): string {
  if (key.issuer === undefined) return parts.join('-');
  return `Token-${sha256Hex(JSON.stringify([tokenKeyText(key), ...parts])).slice(0, 16)}`;
}

/** The place of a token that another stack, repository or account describes. */
function foreignPlace(
  scope: Construct,
  key: TokenKey,
  { prefix = DEFAULT_PREFIX, otherKeyArns = [], replicas, owner }: ForeignTokenOptions,
): TokenPlace {
  if (owner === undefined) {
    return {
      prefix,
      otherKeyArns,
      replicas,
      encryptionKeyArn: publishedBy(scope, prefix, key, 'key-arn'),
      tokenRefreshArn: () => publishedBy(scope, prefix, key, 'token-refresh-arn'),
    };
  }
  const tokenRefreshArn = () => {
    if (owner.tokenRefreshArn !== undefined) return owner.tokenRefreshArn;
    throw new Error(
      'owner.tokenRefreshArn: found nothing; allowed: the ARN of the owner’s token-refresh function',
    );
  };
  return { ...owner, prefix, otherKeyArns, replicas, tokenRefreshArn };
}

function publishedBy(
  scope: Construct,
  prefix: string,
  key: TokenKey,
  leaf: 'key-arn' | 'token-refresh-arn',
): string {
  return ssm.StringParameter.valueForStringParameter(scope, parameterName(prefix, key, leaf));
}
