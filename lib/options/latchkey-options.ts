// Generated from ./schema.ts by `npm run docs`; do not edit.

/** Options of a deployment, the same in a file and for a construct: docs/configuration.md lists them. */
export interface LatchkeyOptions {
  /** Who issues the tokens: the name of a profile that Latchkey has (docs/issuers.md), or the path of a JSON file with one. Default: the learning platform. */
  readonly issuer?: 'learning-platform';
  /** The platform’s environment that the deployment serves. */
  readonly environment: 'staging' | 'production';
  /** Region of the platform, not an AWS region. global: every region except MEA. @default "global" */
  readonly platformRegion?: 'global' | 'mea';
  /** Tenants whose credentials and tokens Latchkey manages. Each tenant gets its own stack. @default [] */
  readonly tenants?: readonly {
    /** Tenant id. It differs between staging and production. */
    readonly tenantId: string;
    /** Tokens to keep fresh, each in its own secret. Declare only the scopes that you need. */
    readonly tokens: readonly (
      | {
          /** The platform interface that accepts the token. */
          readonly interface: 'content';
          /** Scope of the token. api/all allows everything on the interface; restore needs content api/write. */
          readonly scope: 'api/all' | 'api/read' | 'api/write';
          /** Other AWS accounts that may allow their roles to read this token. With kmsKeyArn, your key policy must allow them to decrypt. @default [] */
          readonly readerAccounts?: readonly string[];
          /** The same for all other accounts of these organizations, by aws:PrincipalOrgID. @default [] */
          readonly readerOrganizations?: readonly string[];
        }
      | {
          /** The platform interface that accepts the token. */
          readonly interface: 'webhooks';
          /** Scope of the token. api/all allows everything on the interface; restore needs content api/write. */
          readonly scope: 'api/webhooks' | 'api/all';
          /** Other AWS accounts that may allow their roles to read this token. With kmsKeyArn, your key policy must allow them to decrypt. @default [] */
          readonly readerAccounts?: readonly string[];
          /** The same for all other accounts of these organizations, by aws:PrincipalOrgID. @default [] */
          readonly readerOrganizations?: readonly string[];
        }
    )[];
    /** Whether the tenant has a secret for an API key, which callers of the restore API and your services may use. false: none is created; one that exists leaves the stack with its key, and adopt.apiKey takes it up again. @default true */
    readonly apiKey?: boolean;
    /** Existing credential secrets to use instead of new ones, for example after a stack was destroyed. A secret that Latchkey did not create needs the tag latchkey:kind with the value client-credentials or api-key. @default {} */
    readonly adopt?: {
      /** The secret with the client id and client secret, of any name: its full ARN, or an object. Default: a new secret. */
      readonly clientCredentials?:
        | string
        | {
            /** Full ARN of the secret. */
            readonly arn: string;
            /** Names of the fields in the secret. Latchkey keeps further fields unchanged. @default {} */
            readonly fields?: {
              /** Name of clientId in the secret’s JSON object. @default "clientId" */
              readonly clientId?: string;
              /** Name of clientSecret in the secret’s JSON object. @default "clientSecret" */
              readonly clientSecret?: string;
            };
            /** The secret’s key. Default: the deployment’s, or the AWS managed key. */
            readonly kmsKeyArn?: string;
          };
      /** The secret with the API key and its expiry, of any name: its full ARN, or an object. Default: a new secret. */
      readonly apiKey?:
        | string
        | {
            /** Full ARN of the secret. */
            readonly arn: string;
            /** Names of the fields in the secret. Latchkey keeps further fields unchanged. @default {} */
            readonly fields?: {
              /** Name of apiKey in the secret’s JSON object. @default "apiKey" */
              readonly apiKey?: string;
              /** Name of validUntil in the secret’s JSON object. @default "validUntil" */
              readonly validUntil?: string;
            };
            /** The secret’s key. Default: the deployment’s, or the AWS managed key. */
            readonly kmsKeyArn?: string;
          };
    };
  }[];
  /** The platform’s restore operation, where it differs from the defaults. @default {} */
  readonly restore?: {
    /** Whether the platform offers restore to you. It is announced as “coming soon”, so the default is false. @default false */
    readonly available?: boolean;
    /** HTTP method of the platform’s restore operation. @default "POST" */
    readonly method?: 'POST' | 'PUT' | 'PATCH';
    /** Path of the platform’s restore operation, relative to contentBaseUrl; it may have a query. @default "/contents/{contentId}/restore" */
    readonly path?: string;
    /** HTTP status of the platform’s response to a successful restore. The response must have a body. @default 200 */
    readonly successStatus?: number;
    /** Where the platform expects the acting user. Callers of the restore API always send it in the body. @default "body" */
    readonly actingUserIn?: 'body' | 'header';
    /** Names of the acting user’s headers if actingUserIn is header. The platform has not announced any. @default {} */
    readonly actingUserHeaders?: {
      /** Name of the header with the author reference. @default "X-Author-Ref" */
      readonly authorRef?: string;
      /** Name of the header with the collaboration id. @default "X-Collaboration-Id" */
      readonly collaborationId?: string;
    };
    /** Field of an item in the platform’s response with the reason why the item failed. @default "failureReason" */
    readonly failureReasonField?: string;
  };
  /** The deployment’s HTTPS API for restoring content: who may call it, how often, and at which address. @default {} */
  readonly restoreApi?: {
    /** Whether the deployment has a restore API. @default true */
    readonly enabled?: boolean;
    /** platform: callers use the platform’s Basic or Bearer authentication. iam: callers sign requests as principals of the AWS account, or of callerAccounts and callerOrganizations. @default "platform" */
    readonly auth?: 'platform' | 'iam';
    /** With auth iam: other AWS accounts that may allow their principals to call the API, for every tenant that they name. @default [] */
    readonly callerAccounts?: readonly string[];
    /** With auth iam: the same for all other accounts of these organizations, by aws:PrincipalOrgID. @default [] */
    readonly callerOrganizations?: readonly string[];
    /** How long the restore API accepts the previous API key after a rotation. @default 24 */
    readonly apiKeyGraceHours?: number;
    /** How many days to keep the log lines that say who restored what, also after the stack is deleted. Default: logRetentionDays, and deleted with the stack. */
    readonly auditRetentionDays?:
      | 1
      | 3
      | 5
      | 7
      | 14
      | 30
      | 60
      | 90
      | 120
      | 150
      | 180
      | 365
      | 400
      | 545
      | 731
      | 1096
      | 1827
      | 2192
      | 2557
      | 2922
      | 3288
      | 3653;
    /** Requests per second of all callers together. The AWS account’s limit also applies. @default 20 */
    readonly rateLimit?: number;
    /** Burst of all callers together, in requests, before rateLimit applies. @default 40 */
    readonly burstLimit?: number;
    /** Limits per tenant, by an API Gateway usage plan. AWS applies them on a best-effort basis: do not rely on them for cost control or protection. */
    readonly usagePlan?: {
      /** Requests per second of one tenant. Default if burstLimit is set: the rateLimit of the whole API. */
      readonly rateLimit?: number;
      /** Burst of one tenant, in requests. Default if rateLimit is set: the burstLimit of the whole API. */
      readonly burstLimit?: number;
      /** Requests of one tenant per day, week or month. Default: no quota. */
      readonly quota?: {
        /** Requests of one tenant per period. */
        readonly limit: number;
        /** Days begin at 00:00 UTC, weeks on Sunday, months on the first. */
        readonly period: 'day' | 'week' | 'month';
      };
    };
    /** Your regional AWS WAF web ACL, which checks every request first. It must be in the deployment’s account and region. Requires account and region. */
    readonly webAclArn?: string;
    /** Requests per five minutes from one IP address, by a web ACL that Latchkey creates. Not together with webAclArn. */
    readonly ratePerIp?: number;
    /** Your own domain name. The API then no longer answers at its API Gateway address. */
    readonly domain?: {
      /** The host name that callers use, in lower case, such as restore.example.org. */
      readonly name: string;
      /** An AWS Certificate Manager certificate for that name, in the deployment’s account and region. Requires account and region. */
      readonly certificateArn: string;
      /** Route 53 hosted zone for the DNS record. Without it, create the record yourself: its target is in the parameter restore-domain-target. */
      readonly hostedZoneId?: string;
    };
    /** Makes the API private: it accepts only requests through these interface endpoints for execute-api. */
    readonly vpcEndpointIds?: readonly string[];
  };
  /** Maximum age of client credentials and API keys, and when they rotate. @default {} */
  readonly credentials?: {
    /** Age in days at which a credential must be rotated. alarms.rotationNoticeDays warns in advance. @default 90 */
    readonly maxAgeDays?: number;
    /** When Secrets Manager rotates credentials, in UTC. The rotation fails if nobody has staged a new credential, because only people can get one. "none": only on request. @default "cron(0 8 1 *\/3 ? *)" */
    readonly rotationSchedule?: string;
  };
  /** Maximum time in seconds that any reader caches a token: less than the guaranteed validity of a stored token, 600 for tokens of an hour. @default 300 */
  readonly readerCacheSec?: number;
  /** Reserved concurrency of each token function. 1: one token request per renewal, whatever the number of callers; latchkey init writes it if the account has room. "none", or not set: a renewal may cost one token request per process. Not set, latchkey doctor says if the account has room. */
  readonly reservedConcurrency?: 1 | 'none';
  /** Token requests per second that token-sweep sends at most, for all tenants together. It decides how many tokens the deployment keeps fresh. Default: 10. */
  readonly tokenRequestsPerSec?: number;
  /** An existing KMS key for the secrets, instead of a new one. Before you change it, list the old one in formerKmsKeyArns. */
  readonly kmsKeyArn?: string;
  /** Keys that the secrets had before, including one that Latchkey created: secrets still encrypted with them stay readable and writable while the key changes. Remove a key once no version uses it. */
  readonly formerKmsKeyArns?: readonly string[];
  /** Runs the functions in your VPC. The platform and AWS must be reachable from there. */
  readonly vpc?: {
    /** Your VPC, in the deployment’s account and region. */
    readonly vpcId: string;
    /** Subnets of that VPC for the functions. */
    readonly subnetIds: readonly string[];
    /** Security groups of the functions. They must allow outbound HTTPS. */
    readonly securityGroupIds: readonly string[];
  };
  /** An HTTP proxy through which the functions call the platform. Default: none. */
  readonly proxy?: {
    /** The proxy, as http://HOST:PORT or https://HOST:PORT, without credentials. The functions open tunnels through it (CONNECT). */
    readonly url: string;
    /** Full ARN of a secret with {"username", "password"} for the proxy, in the deployment’s region. Functions that call the platform may read it. Default: none. */
    readonly credentialsSecretArn?: string;
    /** The KMS key of credentialsSecretArn. Default: the AWS managed key. */
    readonly credentialsKmsKeyArn?: string;
    /** Hosts that the functions call without the proxy, in the form of NO_PROXY. @default [] */
    readonly noProxy?: readonly string[];
    /** Whether calls to AWS go through the proxy too. direct: through VPC endpoints, or outside any VPC. proxy: not allowed with credentialsSecretArn. @default "direct" */
    readonly awsCalls?: 'direct' | 'proxy';
  };
  /** Certificate authorities that the functions trust besides the usual ones, for example of a proxy that opens TLS. Default: none. */
  readonly certificateAuthorities?:
    | {
        /** Name of an SSM parameter of type String with certificates in PEM, in the deployment’s account and region. Functions read it at their cold start. */
        readonly parameterName: string;
      }
    | {
        /** A PEM file, relative to the working directory, which is deployed with the functions. */
        readonly file: string;
      };
  /** Path and names of the roles. @default {} */
  readonly roles?: {
    /** Path of every role and managed policy. A change replaces them. Default: /. */
    readonly path?: string;
    /** Start of the name of every role and managed policy. A change replaces them. Default: CloudFormation names them after the stack. */
    readonly namePrefix?: string;
  };
  /** Encrypts all log groups and the dead-letter queue: the ARN of an existing KMS key, or deployment for the key of the secrets. A synthesis says which statements the policy of an existing key needs. */
  readonly logsKmsKeyArn?: string;
  /** Has Lambda accept only functions whose code was signed by AWS Signer. */
  readonly codeSigning?: {
    /** The code signing configuration of every function, in the deployment’s account and region. */
    readonly configArn: string;
    /** Where the signed bundles are. A synthesis writes the bundles to sign. */
    readonly signed: {
      /** A bucket in the deployment’s region, with the signed bundles. */
      readonly bucket: string;
      /** What the keys of the signed bundles begin with, before the names that the synthesis gives them. @default "" */
      readonly prefix?: string;
    };
  };
  /** Records traces of every function and of the restore API: "xray" with AWS X-Ray, or with OpenTelemetry. Default: off. */
  readonly tracing?:
    | 'xray'
    | {
        /** A layer that patches the functions before they run. */
        readonly opentelemetry: {
          /** A layer with the instrumentation of OpenTelemetry, in the deployment’s region. It must support Node 24 on arm64. */
          readonly layerArn: string;
          /** The layer’s wrapper script. /opt/otel-handler: layers of OpenTelemetry. /opt/otel-instrument: AWSOpenTelemetryDistroJs of AWS. @default "/opt/otel-handler" */
          readonly execWrapper?: '/opt/otel-handler' | '/opt/otel-instrument';
          /** Whether spans go to AWS X-Ray. The functions then get permissions for it. false: the environment names another exporter. @default true */
          readonly xray?: boolean;
          /** Environment variables of OpenTelemetry for every function, such as OTEL_EXPORTER_OTLP_ENDPOINT. No secrets. @default {} */
          readonly environment?: { readonly [name: string]: string };
        };
      };
  /** Notifies the alarm topic when others than secretReaders.credentials and Latchkey’s functions read a credential, and when a secret is deleted or copied, its policy is changed, or the key is disabled. Requires a CloudTrail trail. @default false */
  readonly auditSecrets?: boolean;
  /** Denies reading secret values to everybody else in the account, by the secrets’ own policies. Default: IAM policies alone decide. */
  readonly secretReaders?: {
    /** A role for emergencies, which may read every secret if its own policies allow it. */
    readonly breakGlassRoleArn: string;
    /** Roles and users that may read client credentials and API keys, besides Latchkey’s functions. All others are denied, whatever their policies allow. @default [] */
    readonly credentials?: readonly string[];
    /** Roles and users that may read tokens, besides Latchkey’s functions: your services, and operators. All others are denied, except readerAccounts and readerOrganizations. Default: nobody is denied. */
    readonly tokens?: readonly string[];
  };
  /** Sends an event to EventBridge when a token was renewed, or a credential rotated or revoked. true: to the default event bus. Default: no events. */
  readonly events?:
    | true
    | {
        /** Another event bus, in the deployment’s AWS region. A bus of another account needs a policy that allows this account to send. */
        readonly eventBusArn: string;
      };
  /** A CloudWatch dashboard of alarms and metrics, for USD 3 a month. latchkey status shows the same alarms, and they notify without it. @default false */
  readonly dashboard?: boolean;
  /** Adds alarms that notify nobody, and metrics that no alarm needs, for about USD 2 a month. Without them, findings are in latchkey status, and the values in the log. @default false */
  readonly fullMonitoring?: boolean;
  /** Checks credentials when the account’s trail reports a change, and every hour, instead of every five minutes. Requires a CloudTrail trail of management events. @default false */
  readonly trailEvents?: boolean;
  /** Other AWS regions to which Secrets Manager replicates tokens and credentials, for readers that go on when the deployment’s region fails. Adopted secrets are not replicated. Each replica costs as much as a secret. */
  readonly replicaRegions?: readonly (
    | string
    | {
        /** AWS region of the replicas. */
        readonly region: string;
        /** The replicas’ key in that region. Default: the AWS managed key, which other accounts cannot use. */
        readonly kmsKeyArn?: string;
      }
  )[];
  /** Log retention in days. @default 90 */
  readonly logRetentionDays?:
    | 1
    | 3
    | 5
    | 7
    | 14
    | 30
    | 60
    | 90
    | 120
    | 150
    | 180
    | 365
    | 400
    | 545
    | 731
    | 1096
    | 1827
    | 2192
    | 2557
    | 2922
    | 3288
    | 3653;
  /** Who is notified, and the alarm thresholds. @default {} */
  readonly alarms?: {
    /** Your own SNS topic instead of a new one. If it is encrypted, its key policy must allow CloudWatch. */
    readonly topicArn?: string;
    /** An existing KMS key for the new topic. A synthesis says which statements its policy needs. Default: the deployment’s key, or with kmsKeyArn a new one. */
    readonly topicKmsKeyArn?: string;
    /** E-mail addresses to notify. Each recipient must confirm the message that AWS sends at deployment. @default [] */
    readonly emails?: readonly string[];
    /** A token expires in less than this. Tokens are seen every five minutes: from 8 on, the alarm comes before the first one expires, and outages of 10 minutes or more notify; with 5, only those of 15. @default 8 */
    readonly tokenLifeMinutes?: number;
    /** More token requests per hour and declared token than this, and more than 20 in total. Requests of failed renewals do not count. @default 6 */
    readonly tokenRequestsPerTokenAndHour?: number;
    /** This many sweeps in a row did not finish. Each counts six minutes, because a sweep may start a minute late. @default 2 */
    readonly missedSweeps?: number;
    /** This many function runs failed or could not start. Only with fullMonitoring. @default 3 */
    readonly deadLetters?: number;
    /** A credential reaches credentials.maxAgeDays within this many days. Only with fullMonitoring. @default 14 */
    readonly rotationNoticeDays?: number;
    /** An API key expires within this many days. Only with fullMonitoring. @default 30 */
    readonly apiKeyNoticeDays?: number;
    /** An API key expires within this many days; this alarm notifies. @default 7 */
    readonly apiKeyUrgentDays?: number;
    /** At least this many restores fail with 5xx (other than 501) within 15 minutes, and restoreErrorPercent is reached. @default 5 */
    readonly restoreErrorsAtLeast?: number;
    /** At least this share of restores fails within 15 minutes, and restoreErrorsAtLeast is reached. @default 25 */
    readonly restoreErrorPercent?: number;
    /** At least this many restores end with an unknown outcome within an hour. @default 5 */
    readonly restoreOutcomesUnknown?: number;
    /** One restore in ten takes longer than this for 15 minutes. @default 10 */
    readonly restoreLatencySec?: number;
    /** At least this many runs per five minutes are throttled for 15 minutes. The token functions do not count. @default 1 */
    readonly throttles?: number;
  };
  /** Addresses of the platform in this environment and platform region. */
  readonly endpoints: {
    /** Base URL of the content interface, including its version path. */
    readonly contentBaseUrl: string;
    /** Token base URL of the content interface; /oauth2/token/TENANT is appended. Differs between platform regions. */
    readonly contentTokenBaseUrl: string;
    /** Base URL of the webhooks interface. */
    readonly webhooksBaseUrl?: string;
    /** Token base URL of the webhooks interface. Differs from the content interface’s. Required if a webhooks token is declared. */
    readonly webhooksTokenBaseUrl?: string;
    /** URL of the tenant service, which generates API keys. An environment has one for both platform regions. */
    readonly tenantServiceUrl?: string;
  };
  /** A configuration for the laptop: only loopback addresses with a port, cannot be deployed to an account. @default false */
  readonly local?: boolean;
  /** Prefix of the names of stacks, secrets and parameters. @default "latchkey" */
  readonly prefix?: string;
  /** API Gateway has one logging role per account and AWS region. managed: Latchkey creates it, and it replaces one that is set already, for all APIs there. existing: you have set it up. @default "managed" */
  readonly apiGatewayAccount?: 'managed' | 'existing';
  /** Tags that every deployment must have in tags, by key, or by key and allowed values. @default [] */
  readonly requiredTags?: readonly (
    | string
    | {
        /** Key of the tag. */
        readonly key: string;
        /** The values that it may have. Default: any. */
        readonly values?: readonly string[];
      }
  )[];
  /** Whether the tenants’ secrets, rotation and alarms are created here. false: each tenant needs a LatchkeyTenant, usually in a stack of its own, so that one can be added or removed alone. @default true */
  readonly createTenants?: boolean;
  readonly resources?: unknown;
}
