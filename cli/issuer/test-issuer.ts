import { unlessAborted } from '../../client/waits';
import { shellWord } from '../../core/commands/shell-word';
import { type IssuerProfile } from '../../core/issuers/issuer-profile';
import { type HttpTokenRequest, tokenRequestOf } from '../../core/issuers/token-request';
import { parseJsonObject } from '../../core/json/json-object';
import { type TokenHttpAnswer } from '../../core/tokens/token-answer';
import { PlatformUnavailableError, TokenError } from '../../core/tokens/token-errors';
import { HttpsError, sendHttps } from '../../lambdas/shared/adapters/https-client';
import { type CommandContext, type CommandFlags } from '../command';
import { interruption, usageError } from '../command-error';
import { commandText } from '../command-text';
import { CLIENT_CREDENTIALS_FIELDS, readFields } from '../credentials/credential-input';
import { networkOf } from '../environment-network';
import { EXIT, type ExitCode } from '../exit-codes';
import { Questions } from '../init/questions';
import { table } from '../table';
import { type Style } from '../terminal';
import { askToken, type AskedToken } from './asked-token';
import { compareAnswer, compareTokens, type Comparison, possibleTokens } from './compare-answer';
import { correctedProfile } from './corrected-profile';
import { profileNames } from '../../lib/options/issuers';
import { readIssuerProfile } from './read-profile';
import { leavesOf, Redaction, shownValue } from './shown-answer';

const CONNECT_TIMEOUT_MS = 10_000;
const TOTAL_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 64 * 1024;
/** Stands for the client id and the secret in what is shown. */
const HIDDEN = { clientId: '…', clientSecret: '…' };

type TestFlags = CommandFlags<
  'environment' | 'platformRegion' | 'tenant' | 'interface' | 'scope' | 'parameter' | 'tokenBaseUrl' | 'twice'
>;

/** What may be shown of an answer. */
interface ShownAnswer {
  status: number;
  tookMs: number;
  fields: Record<string, string>;
}

/**
 * `latchkey issuer test`: requests one token, and compares the answer with the profile.
 * @throws {CommandError} usage or interrupted
 */
export async function testIssuer(context: CommandContext, flags: TestFlags): Promise<ExitCode> {
  const { terminal } = context;
  const named = await chooseIssuer(context, flags.issuer);
  const profile = readIssuerProfile(named);
  const questions = new Questions(terminal.isInteractive ? terminal : undefined, 'issuer test');
  const asked = await askToken(questions, profile, flags);
  const request = requestShown(profile, asked);
  const credential = await readFields(terminal, CLIENT_CREDENTIALS_FIELDS);
  const again = (issuer: string) =>
    commandText(`issuer test ${shellWord(issuer)}`, asked.flags, flags.twice === true ? '--twice' : '');

  const exchange = exchangeOf(context, profile, asked, credential);
  const progress = terminal.progress(`Requesting a token from ${profile.title}`);
  const first = await exchange().catch((error: unknown) => {
    progress.failed('No token was requested');
    throw error;
  });
  progress.done(`${profile.title} was asked`);
  if (first instanceof HttpsError) return unreachable(context, profile, request, first, again(named));

  const second = flags.twice === true && first.comparison.token !== undefined ? await exchange() : undefined;
  const repeated = second === undefined || second instanceof HttpsError ? undefined : second.comparison;
  const comparison = withRepeated(profile, first.comparison, repeated);
  const { token, correction, isGuess } = comparison;
  const corrected =
    Object.keys(correction).length === 0
      ? undefined
      : correctedProfile(withSource(profile, isGuess ? [] : Object.keys(correction), context), correction);
  const isSilentOnScopes = token !== undefined && asked.scope !== '' && !first.namesScopes;
  const result: TestResult = {
    ...comparison,
    issuer: profile.name,
    request,
    answer: first.shown,
    isSameToken: repeated?.token && token?.accessToken === repeated.token.accessToken,
    note: isSilentOnScopes ? unnamedScopesNote(profile) : undefined,
    corrected,
    advice: nextStep(named, profile, corrected, comparison, again),
  };
  terminal.result(documentOf(result), (style) => linesOf(result, style).join('\n'));
  return exitCodeOf(comparison);
}

interface TestResult extends Comparison {
  issuer: string;
  /** Without the credential. */
  request: HttpTokenRequest;
  answer: ShownAnswer;
  /** Whether a second request got the same token; undefined if it got none. */
  isSameToken: boolean | undefined;
  note: string | undefined;
  corrected: IssuerProfile | undefined;
  advice: string;
}

/** Sends the request, each time that it is called, and compares the answer with the profile. */
function exchangeOf(
  context: CommandContext,
  profile: IssuerProfile,
  asked: AskedToken,
  credential: Record<'clientId' | 'clientSecret', string>,
) {
  const send = sender(context);
  const request = tokenRequestOf(profile, asked.baseUrl, { ...asked, ...credential });
  const redaction = new Redaction([
    ...Object.values(credential),
    ...(request.headers.authorization?.split(' ').slice(1) ?? []),
  ]);
  return async () => {
    const beganMs = context.nowMs();
    const answer = await send(request);
    if (answer instanceof HttpsError) return answer;
    return {
      shown: answerShown(answer, profile, redaction, context.nowMs() - beganMs),
      comparison: compareAnswer(profile, asked.scope, answer, beganMs, redaction),
      namesScopes: parseJsonObject(answer.body)?.scope !== undefined,
    };
  };
}

/** The comparison, with what a second request has shown. */
function withRepeated(profile: IssuerProfile, first: Comparison, second: Comparison | undefined): Comparison {
  if (first.token === undefined || second?.token === undefined) return first;
  const repeated = compareTokens(profile, first.token, second.token);
  return {
    ...first,
    differences: [...first.differences, ...repeated.differences],
    correction: { ...first.correction, ...repeated.correction },
  };
}

function documentOf({ token, corrected, failure, isGuess, ...result }: TestResult): object {
  const { issuer, request, answer, isSameToken, note, differences, advice } = result;
  return {
    issuer,
    request,
    answer,
    token: token && tokenShown(token),
    isSameToken,
    note,
    differences,
    [isGuess ? 'profileToTry' : 'profile']: corrected,
    error: failure && { code: failure.code, message: failure.message },
    advice,
  };
}

function linesOf(result: TestResult, style: Style): string[] {
  const { request, answer, token, isSameToken, note, differences } = result;
  const { corrected, isGuess, failure, advice } = result;
  const differing = isGuess ? 'What may be wrong in the profile' : 'Differs from the profile';
  const correctedTitle = isGuess ? 'A profile to try' : 'The corrected profile';
  return [
    ...requestLines(request, style.bold),
    ...answerLines(answer, style.bold),
    failure === undefined
      ? `${style.good('✓')} Usable as a token${differences.length === 0 ? '' : ', by the corrected profile'}: ` +
        `${token!.accessToken.length} characters, ${lifeText(token!)}`
      : `${style.bad('✗')} ${failure.message}`,
    ...(note === undefined ? [] : [note]),
    ...(isSameToken === undefined
      ? []
      : [`The second request got ${isSameToken ? 'the same' : 'another'} token.`]),
    ...(differences.length > 0 ? [style.bold(differing), ...differences.map((each) => `  ${each}`)] : []),
    ...(differences.length === 0 && failure === undefined
      ? [`${style.good('✓')} The answer is as the profile says`]
      : []),
    ...(corrected === undefined ? [] : [style.bold(correctedTitle), JSON.stringify(corrected, null, 2)]),
    advice,
  ];
}

/** The issuer by its name or file, asked for if there is somebody to ask. */
async function chooseIssuer({ terminal }: CommandContext, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  const names = profileNames();
  if (terminal.isInteractive)
    return terminal.choose(
      'Issuer',
      names.map((value) => ({ value, label: value })),
    );
  throw usageError('issuer test', 'no issuer', `${names.join(', ')}, or the path of a profile`);
}

/** The request, with the credential hidden. */
function requestShown(profile: IssuerProfile, asked: AskedToken): HttpTokenRequest {
  try {
    const { url, headers, body } = tokenRequestOf(profile, asked.baseUrl, { ...asked, ...HIDDEN });
    const { authorization, ...others } = headers;
    const hidden = encodeURIComponent(HIDDEN.clientId);
    return {
      url,
      headers: { ...others, ...(authorization !== undefined && { authorization: 'Basic …' }) },
      body: body.replaceAll(hidden, HIDDEN.clientId),
    };
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    throw usageError('the address', 'what sends a token request elsewhere', error.message);
  }
}

/** Sends a request as the other commands do: through a proxy, if the environment names one. */
function sender({ env = {}, terminal }: CommandContext) {
  const hasProxy = (env.https_proxy ?? env.HTTPS_PROXY ?? '') !== '';
  const send = hasProxy ? networkOf(env).sendRequest : sendHttps;
  return async ({ url, headers, body }: HttpTokenRequest): Promise<TokenHttpAnswer | HttpsError> => {
    const sent = send({
      url: new URL(url),
      method: 'POST',
      headers,
      body,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      totalTimeoutMs: TOTAL_TIMEOUT_MS,
    });
    try {
      return await unlessAborted(sent, terminal.interrupted);
    } catch (error) {
      if (terminal.interrupted.aborted) throw interruption();
      if (error instanceof HttpsError) return error;
      throw error;
    }
  };
}

function answerShown(
  answer: TokenHttpAnswer,
  profile: IssuerProfile,
  redaction: Redaction,
  tookMs: number,
): ShownAnswer {
  const { status, headers, body } = answer;
  const all = redaction.and(possibleTokens(answer, profile));
  const fields = parseJsonObject(body);
  const isRefusal = status < 200 || status > 299;
  const tokenAt = profile.answer?.accessToken ?? 'access_token';
  const shown = leavesOf(fields ?? {}).map(([path, value]): [string, string] => [
    // A name of the profile may occur in the token by chance.
    Object.values({ ...profile.answer }).includes(path) ? path : all.shownPath(path),
    path === tokenAt && typeof value === 'string'
      ? `text of ${value.length} characters`
      : shownValue(path, value, all, isRefusal),
  ]);
  const [type = ''] = /^[\w.+-]+\/[\w.+-]+/.exec(headers['content-type'] ?? '') ?? [];
  return {
    status,
    tookMs,
    fields: {
      ...Object.fromEntries(shown),
      ...(fields === undefined && {
        '(body)': `no JSON object: ${Buffer.byteLength(body)} bytes${type === '' ? '' : ` of ${all.shown(type)}`}`,
      }),
      ...(headers['www-authenticate'] !== undefined && {
        'WWW-Authenticate': all.shown(headers['www-authenticate']),
      }),
      ...(headers.location !== undefined && { Location: all.shown(originOf(headers.location)) }),
    },
  };
}

function originOf(address: string): string {
  return URL.canParse(address) ? `${new URL(address).origin}/…` : 'a path of the same host';
}

function requestLines({ url, headers, body }: HttpTokenRequest, title: (text: string) => string): string[] {
  const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`);
  return [title('Sent'), `  POST ${url}`, ...lines, `  ${body}`];
}

function answerLines({ status, tookMs, fields }: ShownAnswer, title: (text: string) => string): string[] {
  return [
    title('Answered'),
    `  status ${status}, after ${tookMs} ms`,
    ...table(Object.entries(fields), '  '),
  ];
}

/** Some issuers leave out a scope that they do not know, and issue a token without it. */
function unnamedScopesNote({ request = {} }: IssuerProfile): string {
  const { scopeSeparator = ' ' } = request;
  const separator =
    scopeSeparator === ' ' ? '' : `, which were sent with "${scopeSeparator}" between, not with spaces`;
  return `The answer does not name the scopes${separator}: make sure that the API accepts the token for them.`;
}

type IssuedNow = NonNullable<Comparison['token']>;

function tokenShown({ accessToken, issuedAtMs, expiresAtMs, isLifeAssumed }: IssuedNow) {
  const lifetimeSec = (expiresAtMs - issuedAtMs) / 1000;
  return { characters: accessToken.length, lifetimeSec, isLifeAssumed };
}

function lifeText({ issuedAtMs, expiresAtMs, isLifeAssumed }: IssuedNow): string {
  return `valid for ${(expiresAtMs - issuedAtMs) / 1000} s${isLifeAssumed ? ' (assumed)' : ''}`;
}

/** The profile with one more source: what was seen at these paths. */
function withSource(profile: IssuerProfile, seenPaths: string[], { nowMs }: CommandContext): IssuerProfile {
  if (seenPaths.length === 0) return profile;
  const seen = {
    basis: 'seen' as const,
    of: seenPaths,
    says: 'The issuer answered so to `latchkey issuer test`.',
    date: new Date(nowMs()).toISOString().slice(0, 10),
  };
  return { ...profile, sources: [...(profile.sources ?? []), seen] };
}

/** What to do now, in one line. */
function nextStep(
  named: string,
  profile: IssuerProfile,
  corrected: IssuerProfile | undefined,
  { failure, isGuess, differences }: Comparison,
  again: (issuer: string) => string,
): string {
  if (failure instanceof PlatformUnavailableError) return `Later: ${again(named)}`;
  if (corrected !== undefined) {
    const own = named.endsWith('.json') ? named : `./${profile.name}.json`;
    const file = isGuess ? own.replace(/\.json$/, '-to-try.json') : own;
    return `Save it as ${file}, then: ${again(file)}`;
  }
  if (failure !== undefined || differences.length > 0) return `Change what is wrong, then: ${again(named)}`;
  return `Next: latchkey init --issuer ${shellWord(named)}`;
}

function exitCodeOf({ failure, differences }: Comparison): ExitCode {
  if (failure === undefined) return differences.length === 0 ? EXIT.done : EXIT.failed;
  const isRefusal = failure.code === 'credential_refused' || failure.code === 'scope_refused';
  return isRefusal ? EXIT.refused : EXIT.unavailable;
}

const ADVICE_FOR_NO_ANSWER: Partial<Record<HttpsError['code'], string>> = {
  tls: 'The certificate is not trusted: for an authority of your own, set NODE_EXTRA_CA_CERTS to its PEM file',
  connect: 'Check the host for typing errors, and whether this machine needs HTTPS_PROXY to reach it',
  proxy: 'Check HTTPS_PROXY, and whether the proxy may reach this host',
  proxy_refused: 'Check HTTPS_PROXY, and user and password in it',
};

function unreachable(
  { terminal }: CommandContext,
  profile: IssuerProfile,
  request: HttpTokenRequest,
  { code, message }: HttpsError,
  again: string,
): ExitCode {
  const said = `${new URL(request.url).host} gave no answer: ${message}`;
  const next = `${ADVICE_FOR_NO_ANSWER[code] ?? 'The request may have arrived'}, then: ${again}`;
  terminal.result(
    { issuer: profile.name, request, error: { code: `no_answer_${code}`, message: said }, advice: next },
    (style) => [...requestLines(request, style.bold), `${style.bad('✗')} ${said}`, next].join('\n'),
  );
  return EXIT.unavailable;
}
