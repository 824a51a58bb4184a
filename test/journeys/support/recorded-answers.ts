import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type SeenAnswer, type SeenRequest } from '../../support/openapi/documented-answers';

/** An answer as the restore API's server gave it. */
export interface RecordedAnswer {
  path: string;
  request: SeenRequest;
  answer: SeenAnswer;
}

interface RecordedLine {
  method: string;
  path: string;
  requestBody: string;
  status: number;
  /** Names and values alternate. */
  headers: string[];
  body: string;
}

/** Environment variables that make a system record its restore APIs' answers. */
export function recordingTo(
  file: string,
  nodeOptions = process.env.NODE_OPTIONS ?? '',
): Record<string, string> {
  const recorder = JSON.stringify(join(__dirname, 'answer-recorder.cjs'));
  return { LATCHKEY_RECORDED_ANSWERS: file, NODE_OPTIONS: `${nodeOptions} --require ${recorder}`.trim() };
}

/** All answers recorded so far. */
export function readRecordedAnswers(file: string): RecordedAnswer[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => {
    const { method, path, requestBody, status, headers, body } = JSON.parse(line) as RecordedLine;
    const request = { method, body: parsedBody(requestBody) };
    return { path, request, answer: { status, headers: headersOf(headers), body: parsedBody(body) } };
  });
}

/** The body, parsed if it is JSON. */
export function parsedBody(body: string | Buffer | undefined): unknown {
  if (body === undefined) return undefined;
  const text = body.toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function headersOf(list: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (let n = 0; n < list.length; n += 2) {
    const [name, value] = [list[n]!, list[n + 1]!];
    headers[name] = headers[name] === undefined ? value : [headers[name], value].flat();
  }
  return headers;
}
