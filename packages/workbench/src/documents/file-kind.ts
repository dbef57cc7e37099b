/** What a file's first bytes say that it is. */
export interface FileKind {
  /** As people call it, such as "PNG image". */
  readonly name: string;
  /** The media type of a picture that every browser can show; null for all else. */
  readonly picture: string | null;
}

type Signature = readonly [name: string, starts: string, picture?: string];

/** In Latin-1; a dot stands for any byte. */
const SIGNATURES: readonly Signature[] = [
  ["PNG image", "\x89PNG\r\n\x1a\n", "image/png"],
  ["JPEG image", "\xff\xd8\xff", "image/jpeg"],
  ["GIF image", "GIF8", "image/gif"],
  ["WebP image", "RIFF....WEBP", "image/webp"],
  ["AVIF image", "....ftypavif", "image/avif"],
  ["icon", "\0\0\x01\0", "image/x-icon"],
  ["TIFF image", "II*\0"],
  ["TIFF image", "MM\0*"],
  ["PDF document", "%PDF-"],
  ["ZIP archive", "PK\x03\x04"],
  ["gzip archive", "\x1f\x8b"],
  ["7-Zip archive", "7z\xbc\xaf\x27\x1c"],
  ["XZ archive", "\xfd7zXZ\0"],
  ["Zstandard archive", "\x28\xb5\x2f\xfd"],
  ["program", "\x7fELF"],
  ["program", "MZ"],
  ["program", "\xcf\xfa\xed\xfe"],
  ["Java class", "\xca\xfe\xba\xbe"],
  ["WebAssembly module", "\0asm"],
  ["SQLite database", "SQLite format 3\0"],
  ["font", "wOF2"],
  ["font", "wOFF"],
  ["font", "\0\x01\0\0"],
  ["font", "OTTO"],
  ["WAV sound", "RIFF....WAVE"],
  ["MP3 sound", "ID3"],
  ["Ogg sound or video", "OggS"],
  ["video", "....ftyp"],
  ["video", "\x1aE\xdf\xa3"],
];

/** Bytes of a file's start that are enough to tell. */
export const KIND_BYTES = 32;

/** Null where nobody can say. */
export function kindOf(bytes: Buffer): FileKind | null {
  const head = bytes.toString("latin1", 0, KIND_BYTES);
  const found = SIGNATURES.find(([, starts]) =>
    [...starts].every((byte, index) => byte === "." || byte === head[index]),
  );
  return found ? { name: found[0], picture: found[2] ?? null } : null;
}
