/** What an attacker could get or spoil. */
export const ASSETS = {
  'client secrets': 'the client id and secret of each tenant, which obtain tokens from the platform',
  'API keys': 'the key of each tenant, with which callers of the restore API authenticate',
  'admin sessions': 'the session of a platform administrator, with which an operator generates an API key',
  'access tokens': 'the OAuth tokens of each tenant, one per interface and scope',
  content: 'the archived and published contents of each tenant',
  'audit trail': 'who restored what, for whom, in access logs and log lines',
  availability: 'fresh tokens, an answering restore API, and the bill',
} as const;

/** Who attacks, and with what. */
export const ATTACKERS = {
  'outside caller': 'reaches the restore API over the internet, without a credential',
  'other tenant': 'has valid credentials of one tenant, and wants those or the contents of another',
  'internal service': 'has a role in the account that may invoke token-refresh or read some tokens',
  operator: 'has the operator policy of a deployment, and wants more than it gives',
  'log reader': 'reads logs, metrics, dashboards, outputs or error messages',
  'hostile platform': 'answers in place of the platform, or the platform itself when it is broken',
  'local process': 'runs on the same machine as the command or the laptop system, or in a browser there',
  dependency: 'a package or tool that runs during development, synthesis or deployment',
} as const;

/** The parts of the picture, by whose machines they are on. The order keeps its arrows apart. */
export const ZONES = {
  'The internet': { callers: 'Callers of the restore API' },
  'Your team’s machines': {
    operators: 'latchkey command',
    configuration: 'Configuration and synthesis',
    processes: 'Other programs and web pages',
    laptopSystem: 'Laptop system and sandbox',
  },
  'Your AWS account': {
    restoreApi: 'API Gateway and authorizer',
    functions: 'Functions',
    services: 'Your services and other roles',
    secrets: 'Secrets Manager and KMS',
  },
  'The learning platform': { platform: 'Token endpoints, contents, tenant service' },
} as const;

/** Where what is trusted ends: who reaches what. */
export const BOUNDARIES = {
  edge: { name: 'internet to API Gateway', from: 'callers', to: 'restoreApi' },
  account: { name: 'roles of the account to secrets, keys and functions', from: 'services', to: 'secrets' },
  platform: { name: 'functions to the platform', from: 'functions', to: 'platform' },
  operators: { name: 'operators’ machines to AWS and the platform', from: 'operators', to: 'secrets' },
  synthesis: { name: 'configuration to templates and functions', from: 'configuration', to: 'restoreApi' },
  laptop: { name: 'other programs to the laptop system', from: 'processes', to: 'laptopSystem' },
} as const;

/** Titles of tests by their file: the titles of `describe` and `test` as in the source, joined by ` › `. */
export type TestTitles = Readonly<Record<string, readonly string[]>>;

/** One threat: an abuse, what prevents it, and the tests that show so. */
export interface Threat {
  readonly id: `T${number}`;
  readonly name: string;
  readonly assets: readonly (keyof typeof ASSETS)[];
  readonly attackers: readonly (keyof typeof ATTACKERS)[];
  readonly boundary: keyof typeof BOUNDARIES;
  readonly abuse: string;
  readonly control: string;
  /** Tests that attempt the abuse. */
  readonly proofs: TestTitles;
  /** Tests in which the control is missing, or the abuse has happened, and the proof must notice. */
  readonly holes: TestTitles;
  /** What the control does not prevent. */
  readonly remains: string;
  /** Numbers of pages in docs/decisions. */
  readonly decisions?: readonly number[];
}
