import { crc32 } from 'node:zlib';

/** The files of a zip file, by its central directory. */
export function unzipped(zip: Buffer): Record<string, string> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'));
  const files: Record<string, string> = {};
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, nameLength, offset] = [24, 28, 42].map((field) =>
      field === 28 ? zip.readUInt16LE(at + field) : zip.readUInt32LE(at + field),
    ) as [number, number, number];
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const data = zip.subarray(offset + 30 + nameLength, offset + 30 + nameLength + size);
    expect(zip.toString('utf8', offset + 30, offset + 30 + nameLength)).toBe(name);
    expect(zip.readUInt32LE(at + 16)).toBe(crc32(data));
    // Readable for everybody, as Lambda needs it.
    expect((zip.readUInt32LE(at + 38) >>> 16) & 0o777).toBe(0o644);
    files[name] = data.toString();
    at += 46 + nameLength;
  }
  return files;
}
