import { type DeploymentSnapshot } from '../core/deployment/deployment-snapshot';
import { type Finding } from '../core/findings/finding';
import { type FindingKind } from '../core/findings/finding-kinds';
import { nextSweepRenews } from '../core/findings/renewal-findings';
import { DUE_BELOW_SEC } from '../core/tokens/lifetimes';
import { isSameTokenType, type TokenType } from '../core/tokens/token-key';
import { type EnsureFailure } from '../core/tokens/token-refresh';
import { sha256Hex } from '../core/secrets/sha256';
import { type ChosenDeployment, type ChosenToken } from './choose-tenant';
import { type CommandContext } from './command';
import { isFailure, usageError } from './command-error';
import { ensureToken } from './ensure-token';
import { findingsOf, inspectDeployments, type Inspection, takeSnapshot } from './inspect-deployments';
import { readToken } from './read-token';
import { type Deployment, type System } from './system';

/** Findings whose reason token-refresh can report. */
const ASKED_ABOUT: readonly FindingKind[] = ['token_expired', 'token_low', 'token_missing'];

/** token-refresh runs one at a time, and a few answers explain the rest. */
export const MAX_QUESTIONS = 12;

interface Question {
  tenantId: string;
  token: TokenType;
  /** The stored token, if it is to be replaced although it is not overdue. */
  replaced?: ChosenToken;
}

interface Refusal {
  tenantId: string;
  token: TokenType;
  failure: EnsureFailure;
}

/**
 * Inspects deployments, and has token-refresh renew overdue tokens: if it fails, its error is the reason.
 * @param asksPlatform whether to replace valid tokens as well, since one may be of a revoked credential
 * @throws {CommandError} usage, if there are too many tokens to replace
 */
export async function inspectForDoctor(
  context: CommandContext,
  system: System,
  deployments: ChosenDeployment[],
  asksPlatform = false,
): Promise<Inspection[]> {
  const inspections = await inspectDeployments(context, system, deployments);
  const stored = inspections.flatMap((inspection) => storedTokens(system, inspection));
  if (asksPlatform && stored.length > MAX_QUESTIONS) {
    throw usageError('--ask-platform', `${stored.length} tokens`, `${MAX_QUESTIONS}; --tenant chooses some`);
  }
  return Promise.all(inspections.map((inspection) => withReasons(context, system, inspection, asksPlatform)));
}

/** The tokens of an inspection that are stored and configured. */
export function storedTokens(system: System, inspection: Inspection): ChosenToken[] {
  if ('failure' in inspection) return [];
  const { deployment, snapshot } = inspection;
  return snapshot.tenants.flatMap(({ tenantId, tokens }) => {
    const tenant = deployment.tenants.find((each) => each.tenantId === tenantId);
    return (tenant?.tokens ?? []).flatMap((token) => {
      const stored = tokens.find((each) => isSameTokenType(each, token));
      return tenant !== undefined && stored?.access === 'ok' && stored.token !== undefined
        ? [{ system, deployment, tenant, token }]
        : [];
    });
  });
}

/** Adds to an inspection why overdue tokens could not be renewed. If asking renewed some, takes a new snapshot. */
async function withReasons(
  context: CommandContext,
  system: System,
  inspection: Inspection,
  asksPlatform: boolean,
): Promise<Inspection> {
  if ('failure' in inspection) return inspection;
  const questions = [
    ...(asksPlatform ? storedTokens(system, inspection).map(questionAbout) : []),
    ...overdueQuestions(inspection.findings),
    ...dueQuestions(inspection.snapshot, context.nowMs()),
  ];
  if (questions.length === 0) return inspection;
  try {
    const { refusals, renewed, isOutdated } = await askAll(context, inspection.deployment, questions);
    const snapshot = isOutdated ? await takeSnapshot(context, inspection) : inspection.snapshot;
    const extended = { ...inspection, snapshot: addReasons(snapshot, refusals), renewed };
    return { ...extended, findings: findingsOf(system, extended) };
  } catch (error) {
    // With --ask-platform, the answer is what the caller wants. Otherwise, checkAccess reports the failure.
    if (asksPlatform || !isFailure(error)) throw error;
    return inspection;
  }
}

function questionAbout(stored: ChosenToken): Question {
  return { tenantId: stored.tenant.tenantId, token: stored.token, replaced: stored };
}

function overdueQuestions(findings: readonly Finding[]): Question[] {
  return findings
    .filter(({ kind }) => ASKED_ABOUT.includes(kind))
    .flatMap(({ place: { tenantId }, token }) =>
      tenantId === undefined || token === undefined ? [] : [{ tenantId, token }],
    );
}

/** About the tokens that the next sweep will renew. If renewal fails, an alarm may report it before a token is low. */
function dueQuestions({ tenants }: DeploymentSnapshot, nowMs: number): Question[] {
  return tenants.flatMap(({ tenantId, tokens }) =>
    tokens.filter((token) => nextSweepRenews(token, nowMs)).map((token) => ({ tenantId, token })),
  );
}

/** Has token-refresh renew the tokens, one by one, except where the reason of a refusal is known already. */
async function askAll(
  context: CommandContext,
  deployment: Deployment,
  questions: readonly Question[],
): Promise<{ refusals: Refusal[]; renewed: number; isOutdated: boolean }> {
  const refusals: Refusal[] = [];
  let [asked, renewed] = [0, 0];
  const isRepeated = ({ tenantId, token }: Question, index: number) =>
    questions
      .slice(0, index)
      .some((other) => other.tenantId === tenantId && isSameTokenType(other.token, token));
  for (const { tenantId, token, replaced } of questions.filter((each, index) => !isRepeated(each, index))) {
    if (asked === MAX_QUESTIONS || refusals.some((refusal) => explains(refusal, tenantId, token))) continue;
    asked += 1;
    const rejected = replaced && sha256Hex((await readToken(context, replaced)).accessToken);
    const answer = await ensureToken(context, deployment, tenantId, token, DUE_BELOW_SEC, rejected);
    if (!answer.ok) refusals.push({ tenantId, token, failure: answer.error });
    else if (answer.refreshed) renewed += 1;
  }
  return { refusals, renewed, isOutdated: refusals.length < asked };
}

/** Whether another token would be refused for the same reason. A refused scope says nothing about other scopes. */
function explains({ token, failure, ...refused }: Refusal, tenantId: string, other: TokenType): boolean {
  return (
    refused.tenantId === tenantId && token.interface === other.interface && failure.code !== 'scope_refused'
  );
}

function addReasons(snapshot: DeploymentSnapshot, refusals: readonly Refusal[]): DeploymentSnapshot {
  const tenants = snapshot.tenants.map((tenant) => ({
    ...tenant,
    tokens: tenant.tokens.map((token) => {
      const refusal = refusals.find(
        (each) => each.tenantId === tenant.tenantId && isSameTokenType(each.token, token),
      );
      if (refusal === undefined || token.access !== 'ok') return token;
      const { code, message } = refusal.failure;
      return { ...token, renewalError: { code, message } };
    }),
  }));
  return { ...snapshot, tenants };
}
