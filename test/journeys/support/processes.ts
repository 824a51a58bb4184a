import { readdirSync, readFileSync } from 'node:fs';

/** The process ids of all descendants of a process. */
export function descendants(pid: number): number[] {
  const childrenOf = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    const parent = parentOf(entry);
    if (parent !== undefined) childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), Number(entry)]);
  }
  const below = (parent: number): number[] =>
    (childrenOf.get(parent) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

/**
 * The parent's id; undefined if the process has ended or the entry is no process.
 * @see proc_pid_stat(5): the name, in parentheses, may contain anything
 */
function parentOf(entry: string): number | undefined {
  if (!/^\d+$/.test(entry)) return undefined;
  try {
    return Number(/.*\) \S (\d+)/s.exec(readFileSync(`/proc/${entry}/stat`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

/** Arguments and environment at the start of a process; both are empty once it has ended. */
export function startedWith(pid: number): { args: string[]; environment: Record<string, string> } {
  const variables = entriesOf(pid, 'environ').map((entry) => {
    const at = entry.indexOf('=');
    return [entry.slice(0, at), entry.slice(at + 1)] as const;
  });
  return { args: entriesOf(pid, 'cmdline'), environment: Object.fromEntries(variables) };
}

/** @see proc(5): each entry ends with a NUL */
function entriesOf(pid: number, file: 'cmdline' | 'environ'): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').filter(Boolean);
  } catch {
    return [];
  }
}
