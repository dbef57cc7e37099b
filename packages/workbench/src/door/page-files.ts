import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { WorkbenchError } from "../errors.js";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};

/** Files that are compressed already. */
const DENSE: ReadonlySet<string> = new Set([".png", ".ico", ".woff2"]);

/** Nearly as small as the best, and made while the browser starts. */
const BROTLI_QUALITY = 5;

/** Bytes of a file that takes longer to compress than to ask for. */
const LARGE = 64 * 1024;

type Encoding = "br" | "gzip" | "identity";

export interface PageFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer;
}

/**
 * The files of the built page. Only what a listing of its folder names is served, so no request can
 * lead out of it. What was compressed once stays in memory.
 */
export class PageFiles {
  readonly #folder: string;
  readonly #made = new Map<string, Promise<Buffer>>();
  #names: ReadonlySet<string> = new Set();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string): Promise<PageFiles> {
    const files = new PageFiles(folder);
    await files.#list();
    if (files.#names.has("/index.html")) return files;
    throw new WorkbenchError(`The page is not in ${folder}. Install Lockstep again, or build it.`);
  }

  /** Null for a path that is not one of the page's, taken literally: nothing is decoded. */
  async get(path: string, acceptEncoding: string | undefined): Promise<PageFile | null> {
    const name = path === "/" ? "/index.html" : path;
    // The page may have been built anew since.
    if (!this.#names.has(name)) await this.#list();
    if (!this.#names.has(name)) return null;
    const extension = extname(name);
    const encoding = DENSE.has(extension) ? "identity" : chosen(acceptEncoding);
    const content = await this.#content(name, encoding).catch(absent);
    if (!content) return null;
    const headers = {
      "Content-Type": TYPES[extension] ?? "application/octet-stream",
      "Content-Length": String(content.length),
      "Cache-Control": caching(name),
      Vary: "Accept-Encoding",
      ...(encoding === "identity" ? {} : { "Content-Encoding": encoding }),
    };
    return { headers, content };
  }

  /** Compresses ahead what would keep the first load waiting, while the browser starts. */
  async warm(): Promise<void> {
    const index = (await this.get("/", undefined))?.content.toString() ?? "";
    const named = [...index.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? "");
    await Promise.all(named.map((path) => this.get(path, "br")));
    const sizes = [...this.#names].map(async (path) => ({
      path,
      size: (await stat(join(this.#folder, path)).catch(absent))?.size ?? 0,
    }));
    const large = (await Promise.all(sizes)).filter(({ size }) => size > LARGE);
    // One after the other: the browser needs the processor as well.
    for (const { path } of large.sort((a, b) => b.size - a.size)) await this.get(path, "br");
  }

  async #list(): Promise<void> {
    const options = { recursive: true, withFileTypes: true } as const;
    const entries = await readdir(this.#folder, options).catch(absent);
    const paths = (entries ?? [])
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.#folder, join(entry.parentPath ?? entry.path, entry.name)));
    this.#names = new Set(paths.map((path) => `/${path.split(sep).join("/")}`));
  }

  #content(name: string, encoding: Encoding): Promise<Buffer> {
    const make = () => readFile(join(this.#folder, name)).then((raw) => compress(raw, encoding));
    // Only a name that changes with its content can be remembered.
    if (!isHashed(name)) return make();
    const key = `${encoding} ${name}`;
    const made = this.#made.get(key) ?? make();
    this.#made.set(key, made);
    made.catch(() => this.#made.delete(key));
    return made;
  }
}

/** A page that is being built anew is not there for a moment. */
function absent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

const isHashed = (name: string) => name.startsWith("/assets/");

function caching(name: string): string {
  if (isHashed(name)) return "private, max-age=31536000, immutable";
  return name.endsWith(".html") ? "no-store" : "no-cache";
}

function chosen(accepted: string | undefined): Encoding {
  const offers = (accepted ?? "").split(",").map((offer) => offer.trim().split(";")[0]);
  if (offers.includes("br")) return "br";
  return offers.includes("gzip") ? "gzip" : "identity";
}

async function compress(raw: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "identity") return raw;
  if (encoding === "gzip") return promisify(gzip)(raw);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
  };
  return promisify(brotliCompress)(raw, { params });
}
