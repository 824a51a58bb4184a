import { REFUSED_TOKEN } from './restore/refused-token';
import { BROKEN_AFTER_SEND, CALLER_RETRIES, UNKNOWN_ANSWER } from './restore/unknown-outcomes';
import { UNREACHABLE } from './restore/unreachable-platform';

/** Rows F28 to F32: what becomes of one request that must not be sent twice. */
export const ROWS = [UNREACHABLE, BROKEN_AFTER_SEND, CALLER_RETRIES, REFUSED_TOKEN, UNKNOWN_ANSWER];
