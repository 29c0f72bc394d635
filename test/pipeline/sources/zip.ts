import { crc32, deflateRawSync } from "node:zlib";

/** An archive of deflated members, as spreadsheet programs write them. */
export function zip(members: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(members)) {
    const data = deflateRawSync(text);
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(crc32(text), 0);
    sizes.writeUInt32LE(data.length, 4);
    sizes.writeUInt32LE(Buffer.byteLength(text), 8);
    const length = Buffer.from([name.length, 0]);
    const head = Buffer.concat([Buffer.from([20, 0, 0, 0, 8, 0, 0, 0, 0, 0]), sizes, length, Buffer.alloc(2)]);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), head, Buffer.from(name), data]);
    const offset = Buffer.alloc(4);
    offset.writeUInt32LE(at);
    directory.push(
      Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), head, Buffer.alloc(10), offset, Buffer.from(name)]),
    );
    locals.push(local);
    at += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(locals.length, 8);
  end.writeUInt16LE(locals.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, entries, end]);
}
