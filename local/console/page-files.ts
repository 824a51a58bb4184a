import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

// From the root of the project, which is two folders up from this file and from the built host.
const FOLDER = join(__dirname, '../../local/console/page');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface PageFile {
  contentType: string;
  content: Buffer;
}

/** The page's files by the path at which they are served. Only these are, so that no path can lead elsewhere. */
export function readPageFiles(): ReadonlyMap<string, PageFile> {
  return new Map(
    readdirSync(FOLDER).flatMap((name): [string, PageFile][] => {
      const contentType = TYPES[extname(name)];
      if (contentType === undefined) return [];
      const path = name === 'index.html' ? '/' : `/${name}`;
      return [[path, { contentType, content: readFileSync(join(FOLDER, name)) }]];
    }),
  );
}
