/**
 * Returns the path of a program, after building it if its sources changed.
 * @throws {Error} if it cannot be built or written
 */
export function upToDate(program: 'host' | 'latchkey' | 'sandbox'): string;
