import { parseJsonObject } from '../json-object';
import { invalidParameter } from './aws-error';

/** `$.field = "value"`. AWS reads `*` in a value as a wildcard, so a value with one is not supported. */
const COMPARISON = String.raw`\$\.(\w+)\s*=\s*"([^"*\\]*)"`;
const OPERAND = String.raw`(?:\(\s*${COMPARISON}\s*\)|${COMPARISON})`;
const JSON_PATTERN = new RegExp(String.raw`^\{\s*${OPERAND}(?:\s*&&\s*${OPERAND})*\s*\}$`);
const TERM = /^(?:"([^"]*)"|([\w.-]*))$/;

/**
 * Reads a filter pattern: one word, one text in double quotes, or `{ ($.a = "x") && ($.b = "y") }` with top-level fields.
 * @returns whether a message matches
 * @throws {AwsError} InvalidParameterException for any other pattern
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/matching-terms-json-log-events.html
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/matching-terms-unstructured-log-events.html
 */
export function readFilterPattern(text: string): (message: string) => boolean {
  const pattern = text.trim();
  const [, quoted, word] = TERM.exec(pattern) ?? [];
  const term = quoted ?? word;
  if (term !== undefined) return (message) => message.includes(term);
  if (!JSON_PATTERN.test(pattern)) {
    throw invalidParameter(
      'the local endpoint supports only one word, one quoted text, or { ($.field = "text") && … } as a filter pattern',
    );
  }
  const wanted = [...pattern.matchAll(new RegExp(COMPARISON, 'g'))].map(([, field, value]) => [
    field!,
    value!,
  ]);
  return (message) => {
    const fields = parseJsonObject(message);
    return fields !== undefined && wanted.every(([field, value]) => fields[field!] === value);
  };
}
