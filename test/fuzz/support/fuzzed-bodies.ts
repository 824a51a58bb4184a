import * as fc from 'fast-check';

import { MAX_BODY_BYTES } from '../../../core/restore/restore-operation';

/** A body as API Gateway forwards it. */
export interface FuzzedBody {
  body: string | null;
  isBase64Encoded: boolean;
}

const nested = (open: string, close: string) =>
  fc.nat(MAX_BODY_BYTES / 4).map((depth) => open.repeat(depth) + close.repeat(depth));

/** Easy to write, but expensive to parse. */
const bomb: fc.Arbitrary<string> = fc.oneof(
  nested('[', ']'),
  nested('{"a":', '}'),
  fc.nat(2_000).map((count) => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join()}}`),
  fc.nat(800).map((count) => `{${Array<string>(count).fill('"authorRef":"a"').join()}}`),
  fc.nat(MAX_BODY_BYTES).map((count) => '9'.repeat(count)),
  fc.nat(MAX_BODY_BYTES).map((count) => `{"authorRef":"${'\\'.repeat(count)}"}`),
  fc.constantFrom('[', '{', '"', '-').map((sign) => sign.repeat(MAX_BODY_BYTES)),
  fc
    .integer({ min: MAX_BODY_BYTES - 20, max: MAX_BODY_BYTES + 2 })
    .map((bytes) => '{"authorRef":"a"}'.padEnd(bytes)),
);

const reference = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z0-9][ -~]{0,20}[a-z0-9]$/) },
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.jsonValue({ maxDepth: 2 }),
);
const field = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('authorRef', 'collaborationId') },
  fc.constantFrom('__proto__', 'constructor', 'toString', 'tenantId', 'AuthorRef', ''),
  fc.string({ maxLength: 8 }),
);
/** As text, so that a name can occur twice. */
const objects = fc
  .array(fc.tuple(field, reference), { maxLength: 4 })
  .map(
    (members) => `{${members.map((member) => member.map((part) => JSON.stringify(part)).join(':')).join()}}`,
  );

const text = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('{"authorRef":"a"}', '{"collaborationId":"c","authorRef":"a"}') },
  { weight: 4, arbitrary: objects },
  fc.json({ maxDepth: 12 }),
  bomb,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .tuple(objects, fc.nat(30), fc.string({ maxLength: 3 }))
    .map(([whole, at, cut]) => whole.slice(0, at) + cut + whole.slice(at + 1)),
);

/** Bodies, including valid ones. */
export const fuzzedBody: fc.Arbitrary<FuzzedBody> = fc.oneof(
  { weight: 12, arbitrary: text.map((body) => ({ body, isBase64Encoded: false })) },
  fc.constant({ body: null, isBase64Encoded: false }),
  text.map((body) => ({ body: Buffer.from(body).toString('base64'), isBase64Encoded: true })),
  fc
    .uint8Array({ maxLength: 60 })
    .map((bytes) => ({ body: Buffer.from(bytes).toString('base64'), isBase64Encoded: true })),
  fc.string({ maxLength: 20 }).map((body) => ({ body, isBase64Encoded: true })),
);
