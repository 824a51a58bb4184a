import { type APIGatewayProxyEvent } from 'aws-lambda';

import { pathIds } from '../../../lambdas/shared/domain/path-ids';
import { type ClauseHole } from '../../support/restore-api/clause-case';
import { type Hole } from '../../support/restore-api/hole';
import { restorePath } from '../../support/restore-api/restore-path';

const LIMIT_BYTES = 16 * 1024;
const MOST_DEPTH_OR_FIELDS = 64;

/** Holes in how the restore function reads a request: it gets another one. */
export const REQUEST_HOLES = {
  tenantIsAlwaysTheFirst: asked('every tenant restores with the token of the first one', (event) =>
    withIds(event, { tenantId: 'me-south-1_Under' }),
  ),

  idsAreRepaired: id(
    'invalid characters of a content id are removed instead of refused',
    (given) => given.replaceAll(/[^A-Za-z0-9_~-]/g, '').slice(0, 128) || 'x',
  ),
  idsAreHexadecimal: id('only ids of 24 hexadecimal digits are accepted', (given) =>
    /^[0-9a-f]{24}$/.test(given) ? given : '',
  ),
  idsAreLowerCase: id('content ids are the same in any case', (given) => given.toLowerCase()),
  idsAreNotDecoded: id('the content id is not decoded', (_, { path }) => path.split('/').at(-2)!),
  idsAreDecodedTwice: id('the content id is decoded twice', (given) => decodeURIComponent(given)),

  everyMediaTypeIsTaken: mediaType('a body counts as JSON whatever its media type', () => 'application/json'),
  mediaTypeHasOneSpelling: mediaType(
    'only a lowercase application/json without parameters is accepted',
    ([first]) => (first === 'application/json' ? first : 'text/plain'),
  ),

  longBodiesAreCut: body('a body is read up to its limit, and the rest is ignored', (text) =>
    Buffer.from(text).subarray(0, LIMIT_BYTES).toString(),
  ),
  charactersAreCounted: body('the size limit of a body counts characters', (text) =>
    text.replaceAll('é', 'e'),
  ),
  limitIsOneByteLess: body('a body of exactly the limit is refused', (text) => `${text} `),
  structureIsNotMeasured: body('a body of any depth, with any number of fields, is read', (text) => {
    const [depth, fields] = [text.split('[').length, text.split(',').length];
    return Math.max(depth, fields) > MOST_DEPTH_OR_FIELDS ? '{}' : text;
  }),
  malformedJsonIsEmpty: body('a body that is not JSON counts as an empty object', (text) =>
    parse(text) === undefined ? '{}' : text,
  ),
  everyJsonIsAnObject: body('a body of any JSON counts as an object', (text) =>
    JSON.stringify({ ...[parse(text)].flat().find((each) => each !== null)! }),
  ),
  escapesAreNotRead: body('escapes in JSON are ignored', (text) => text.replaceAll('\\', '')),
  fieldsMayBeRepeated: body('the last of two fields with the same name wins', (text) =>
    JSON.stringify(parse(text)),
  ),

  furtherFieldsAreIgnored: actingUser('unknown fields are ignored', ({ authorRef, collaborationId }) => ({
    authorRef,
    collaborationId,
  })),
  referencesAreRepaired: actingUser('an invalid reference is repaired instead of refused', (given) => {
    const repaired = (value: unknown) => `${String(value).replaceAll(/[^!-~]/g, '')}-repaired`.slice(-256);
    return Object.fromEntries(Object.entries(given).map(([field, value]) => [field, repaired(value)]));
  }),
  referencesAreCut: actingUser('a reference is cut off at 255 characters', ({ authorRef, ...more }) => ({
    ...more,
    authorRef: authorRef?.slice(0, 255),
  })),
  referencesAreDecoded: actingUser('escapes in a reference are decoded', ({ authorRef, ...more }) => ({
    ...more,
    authorRef: authorRef?.replace('%41', 'A'),
  })),
  referencesAreExchanged: actingUser('author and collaboration are swapped', (given) => ({
    authorRef: given.collaborationId,
    collaborationId: given.authorRef,
  })),
  onlyTheAuthorIsSent: actingUser('a collaboration is dropped if there is an author', ({ authorRef }) => ({
    authorRef,
  })),
  missingActingUserIsInvented: actingUser('a restore without an acting user is sent', (given) =>
    Object.keys(given).length === 0 ? { authorRef: 'anybody' } : given,
  ),
  headersNameTheActingUser: asked('a header of the caller names the acting user', (event) => {
    const [authorRef] = headersOf(event, 'x-author-ref');
    return authorRef === undefined ? event : withBody(event, JSON.stringify({ authorRef }));
  }),
} satisfies Record<string, ClauseHole>;

interface ActingUserText {
  authorRef?: string;
  collaborationId?: string;
}

function asked(wrong: string, change: (event: APIGatewayProxyEvent) => APIGatewayProxyEvent): Hole {
  return { wrong, restore: (event, run) => run(change(event)) };
}

/** @param change gets the decoded id */
function id(wrong: string, change: (contentId: string, event: APIGatewayProxyEvent) => string): Hole {
  return asked(wrong, (event) => {
    return withIds(event, { contentId: change(pathIds(event).contentId, event) });
  });
}

function withIds(
  event: APIGatewayProxyEvent,
  change: Partial<ReturnType<typeof pathIds>>,
): APIGatewayProxyEvent {
  const ids = { ...pathIds(event), ...change };
  return { ...event, path: restorePath(ids.tenantId, ids.contentId), pathParameters: ids };
}

function mediaType(wrong: string, change: (values: string[]) => string): Hole {
  return asked(wrong, (event) => {
    const contentType = change(headersOf(event, 'content-type'));
    return { ...event, multiValueHeaders: { 'content-type': [contentType] } };
  });
}

function body(wrong: string, change: (text: string) => string): Hole {
  return asked(wrong, (event) => {
    const text = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8').toString();
    return withBody(event, change(text));
  });
}

/** Values other than objects stay unchanged. */
function actingUser(wrong: string, change: (given: ActingUserText) => ActingUserText): Hole {
  return body(wrong, (text) => {
    const given = parse(text);
    return typeof given === 'object' && given !== null ? JSON.stringify(change(given)) : text;
  });
}

function withBody(event: APIGatewayProxyEvent, text: string): APIGatewayProxyEvent {
  return { ...event, isBase64Encoded: false, body: text };
}

function headersOf({ multiValueHeaders }: APIGatewayProxyEvent, wanted: string): string[] {
  const found = Object.entries(multiValueHeaders).filter(([name]) => name.toLowerCase() === wanted);
  return found.flatMap(([, values]) => values ?? []);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
