import { crc32 } from 'node:zlib';

/** 1980-01-01 00:00, the first date that a zip file can have. */
const DATE = 0x21;
/** UTF-8 names. */
const FLAGS = 0x800;
const VERSION = 20;
/** Made on Unix: {@link ATTRIBUTES} are Unix permissions. */
const MADE_BY = (3 << 8) | VERSION;
/** A regular file that everybody may read: Lambda runs as a user of its own. */
const ATTRIBUTES = 0o100644 * 0x10000;

/**
 * A zip file, always with the same bytes for the same files: by name, without times, and without compression, which differs
 * between versions of zlib.
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const names = Object.keys(files).sort();
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const name of names) {
    const [nameBytes, data] = [Buffer.from(name), Buffer.from(files[name]!)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(FLAGS, 2);
    common.writeUInt16LE(DATE, 8);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const entry = Buffer.concat([signature(0x04034b50), common, nameBytes, data]);
    const directoryFields = Buffer.alloc(14);
    directoryFields.writeUInt32LE(ATTRIBUTES, 6);
    directoryFields.writeUInt32LE(offset, 10);
    const madeBy = Buffer.from([MADE_BY & 0xff, MADE_BY >> 8]);
    central.push(Buffer.concat([signature(0x02014b50), madeBy, common, directoryFields, nameBytes]));
    local.push(entry);
    offset += entry.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(names.length, 4);
  end.writeUInt16LE(names.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, signature(0x06054b50), end]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
