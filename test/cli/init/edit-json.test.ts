import fc from 'fast-check';

import { editJson } from '../../../cli/init/edit-json';

const json = fc.jsonValue({ maxDepth: 4 });
const indentation = fc.constantFrom(undefined, 1, 2, 4, '\t');

it('changes any text into one of the wanted value', () => {
  fc.assert(
    fc.property(json, json, indentation, (before, after, indent) => {
      const edited = editJson(JSON.stringify(before, null, indent), after);

      expect(JSON.parse(edited)).toEqual(JSON.parse(JSON.stringify(after)));
    }),
  );
});

it('leaves the text of an equal value as it is', () => {
  fc.assert(
    fc.property(json, indentation, (value, indent) => {
      const text = `\n${JSON.stringify(value, null, indent)}\r\n\t`;

      expect(editJson(text, JSON.parse(text))).toBe(text);
    }),
  );
});

it('keeps the formatting around a new, a changed and a removed field', () => {
  const before =
    '{\n    "a": 1.0,\n    "b": { "c": [1, 2],   "d": "\\u0041" },\n\n    "e": [\n        {"f": true}\n    ]\n}\n';

  const after = editJson(before, {
    a: 1,
    new: { x: [1] },
    b: { c: [1, 3, 4], d: 'A' },
    e: [{ f: true }, {}],
  });

  expect(after).toBe(
    '{\n    "a": 1.0,\n    "new": {\n        "x": [\n            1\n        ]\n    },\n    "b": { "c": [1, 3,4],   "d": "\\u0041" },\n\n    "e": [\n        {"f": true},\n        {}\n    ]\n}\n',
  );
  expect(editJson('{"a": 1, "b": 2}', { b: 2 })).toBe('{ "b": 2}');
});

it('keeps the line ends of Windows', () => {
  expect(editJson('{\r\n  "a": 1\r\n}\r\n', { a: 1, b: { c: 2 } })).toBe(
    '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 2\r\n  }\r\n}\r\n',
  );
});
