import { type APIGatewayProxyEvent } from 'aws-lambda';

import { type ClauseHole } from '../../support/restore-api/clause-case';
import { type Hole } from '../../support/restore-api/hole';

const LIMIT_BYTES = 16 * 1024;
const MOST_DEPTH_OR_FIELDS = 64;

/** Holes in how the restore function reads a request, as another request that it gets in its place. */
export const REQUEST_HOLES = {
  tenantIsAlwaysTheFirst: {
    wrong: 'every tenant restores with the token of the first one',
    ...asked((event) => ({
      ...event,
      pathParameters: { ...event.pathParameters, tenantId: 'me-south-1_Under' },
    })),
  },

  idsAreMended: {
    wrong: 'what may not stand in a content id is left out of it instead of refused',
    ...id((given) => given.replaceAll(/[^A-Za-z0-9_~-]/g, '').slice(0, 128) || 'x'),
  },
  idsAreHexadecimal: {
    wrong: 'only ids of 24 hexadecimal digits are taken',
    ...id((given) => (/^[0-9a-f]{24}$/.test(given) ? given : '')),
  },
  idsAreLowerCase: { wrong: 'content ids are the same in any case', ...id((given) => given.toLowerCase()) },
  idsAreNotDecoded: {
    wrong: 'the content id is taken as it stands in the URL',
    ...id((_, { path }) => path.split('/').at(-2)!),
  },

  everyMediaTypeIsTaken: {
    wrong: 'a body counts as JSON whatever its media type',
    ...mediaType(() => 'application/json'),
  },
  mediaTypeHasOneSpelling: {
    wrong: 'only application/json is taken, in lower case and without parameters',
    ...mediaType(([first]) => (first === 'application/json' ? first : 'text/plain')),
  },

  longBodiesAreCut: {
    wrong: 'a body is read up to its limit, and the rest is ignored',
    ...body((text) => Buffer.from(text).subarray(0, LIMIT_BYTES).toString()),
  },
  charactersAreCounted: {
    wrong: 'the size of a body is measured in characters',
    ...body((text) => text.replaceAll('é', 'e')),
  },
  limitIsOneByteLess: { wrong: 'a body as long as the limit is refused', ...body((text) => `${text} `) },
  structureIsNotMeasured: {
    wrong: 'a body of any depth, with any number of fields, is read',
    ...body((text) => {
      const [depth, fields] = [text.split('[').length, text.split(',').length];
      return Math.max(depth, fields) > MOST_DEPTH_OR_FIELDS ? '{}' : text;
    }),
  },
  malformedJsonIsEmpty: {
    wrong: 'a body that is not JSON counts as an empty object',
    ...body((text) => (parse(text) === undefined ? '{}' : text)),
  },
  everyJsonIsAnObject: {
    wrong: 'a body counts as an object whatever JSON it is',
    ...body((text) => JSON.stringify({ ...[parse(text)].flat().find((each) => each !== null)! })),
  },
  escapesAreNotRead: { wrong: 'escapes in JSON are not read', ...body((text) => text.replaceAll('\\', '')) },
  fieldsMayBeRepeated: {
    wrong: 'of a field that stands twice, the last one wins',
    ...body((text) => JSON.stringify(parse(text))),
  },

  furtherFieldsAreIgnored: {
    wrong: 'fields beside the two are ignored',
    ...actingUser(({ authorRef, collaborationId }) => ({ authorRef, collaborationId })),
  },
  referencesAreMended: {
    wrong: 'what is no reference is made one instead of refused',
    ...actingUser((given) => {
      const mended = (value: unknown) => `${String(value).replaceAll(/[^!-~]/g, '')}-mended`.slice(-256);
      return Object.fromEntries(Object.entries(given).map(([field, value]) => [field, mended(value)]));
    }),
  },
  referencesAreCut: {
    wrong: 'a reference is cut off at 255 characters',
    ...actingUser(({ authorRef, ...more }) => ({ ...more, authorRef: authorRef?.slice(0, 255) })),
  },
  referencesAreDecoded: {
    wrong: 'escapes inside a reference are read',
    ...actingUser(({ authorRef, ...more }) => ({ ...more, authorRef: authorRef?.replace('%41', 'A') })),
  },
  referencesAreExchanged: {
    wrong: 'the author is sent as the collaboration, and the collaboration as the author',
    ...actingUser((given) => ({ authorRef: given.collaborationId, collaborationId: given.authorRef })),
  },
  onlyTheAuthorIsSent: {
    wrong: 'a collaboration beside an author is forgotten',
    ...actingUser(({ authorRef }) => ({ authorRef })),
  },
  missingActingUserIsInvented: {
    wrong: 'a restore that names nobody is sent all the same',
    ...actingUser((given) => (Object.keys(given).length === 0 ? { authorRef: 'anybody' } : given)),
  },
  headersNameTheActingUser: {
    wrong: 'a header of the caller counts as the acting user',
    ...asked((event) => {
      const [authorRef] = headersOf(event, 'x-author-ref');
      return authorRef === undefined ? event : withBody(event, JSON.stringify({ authorRef }));
    }),
  },
} as const satisfies Record<string, ClauseHole>;

interface ActingUserText {
  authorRef?: string;
  collaborationId?: string;
}

function asked(change: (event: APIGatewayProxyEvent) => APIGatewayProxyEvent): Pick<Hole, 'restore'> {
  return { restore: (event, run) => run(change(event)) };
}

/** @param change gets the id as API Gateway has decoded it */
function id(change: (contentId: string, event: APIGatewayProxyEvent) => string): Pick<Hole, 'restore'> {
  return asked((event) => {
    const contentId = change(event.pathParameters!.contentId!, event);
    return { ...event, pathParameters: { ...event.pathParameters, contentId } };
  });
}

function mediaType(change: (values: string[]) => string): Pick<Hole, 'restore'> {
  return asked((event) => {
    const contentType = change(headersOf(event, 'content-type'));
    return { ...event, multiValueHeaders: { 'content-type': [contentType] } };
  });
}

function body(change: (text: string) => string): Pick<Hole, 'restore'> {
  return asked((event) => {
    const text = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8').toString();
    return withBody(event, change(text));
  });
}

/** What is not an object stays as it is. */
function actingUser(change: (given: ActingUserText) => ActingUserText): Pick<Hole, 'restore'> {
  return body((text) => {
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
