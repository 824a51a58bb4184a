import { StringDecoder } from 'node:string_decoder';
import { type Readable } from 'node:stream';

/** Marks the end of an invocation's lines, on each stream. */
const END = '\0end ';

/** Splits a process's output into lines, and detects when all lines of an invocation have been read. */
export class ProcessLines {
  private readonly onLine: (line: string) => void;
  private readonly invocations = new Map<string, { endedStreams: number; resolve?: () => void }>();
  private readonly streamCount: number;

  constructor(streams: Readable[], onLine: (line: string) => void) {
    this.onLine = onLine;
    this.streamCount = streams.length;
    streams.forEach((stream) => this.read(stream));
  }

  /** Resolves when both streams have reached the invocation's end marker. */
  allOf(requestId: string): Promise<void> {
    return new Promise((resolve) => {
      const entry = this.entry(requestId);
      entry.resolve = resolve;
      this.settle(requestId);
    });
  }

  private read(stream: Readable): void {
    const decoder = new StringDecoder('utf8');
    let rest = '';
    stream.on('data', (chunk: Buffer) => {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach((line) => this.take(line));
    });
    stream.on('end', () => {
      if (rest !== '') this.take(rest);
    });
  }

  private take(line: string): void {
    // A handler may have printed text without a newline before the marker.
    const [text = '', requestId] = line.split(END);
    if (text !== '' || requestId === undefined) this.onLine(text);
    if (requestId === undefined) return;
    this.entry(requestId).endedStreams += 1;
    this.settle(requestId);
  }

  private entry(requestId: string): { endedStreams: number; resolve?: () => void } {
    const entry = this.invocations.get(requestId) ?? { endedStreams: 0 };
    this.invocations.set(requestId, entry);
    return entry;
  }

  private settle(requestId: string): void {
    const { endedStreams, resolve } = this.entry(requestId);
    if (endedStreams < this.streamCount || !resolve) return;
    this.invocations.delete(requestId);
    resolve();
  }
}
