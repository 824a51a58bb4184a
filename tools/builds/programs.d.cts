/**
 * The path of a program, which is built first where it is not made of the sources as they are now.
 * @throws {Error} when it cannot be built, or not be written
 */
export function upToDate(program: 'host' | 'latchkey' | 'sandbox'): string;
