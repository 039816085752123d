import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { TranscriptError, type TranscriptErrorCode } from './transcript.ts'

export interface ReadLinesOptions {
  /** The longest accepted line, in bytes without its line break. */
  readonly maxLineBytes: number
  readonly signal?: AbortSignal | undefined
  /** The byte offset of the first line to read; the file's first line is always read. Default 0. */
  readonly from?: number | undefined
  readonly onProgress?: ((bytesRead: number, bytesTotal: number) => void) | undefined
}

const blockBytes = 256 * 1024
const lineFeed = 10
/** The first bytes of a zstd file; Codex compresses rollouts older than a week. */
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const carriageReturn = 13

/**
 * Calls `onLine` for every line of a UTF-8 file, perhaps compressed by zstd, with its number from 1, without line break
 * and byte order mark. Holds one block and one line. Invalid UTF-8 after the first block becomes U+FFFD. Throws
 * `TranscriptError`; errors of `onLine` pass through; an abort rejects with `signal.reason`.
 */
export async function readLines(
  path: string,
  options: ReadLinesOptions,
  onLine: (text: string, line: number) => void,
): Promise<void> {
  options.signal?.throwIfAborted()
  const handle = await attempt(path, () => open(path, 'r'))
  try {
    await readFrom(handle, path, options, onLine)
  } finally {
    await handle.close()
  }
}

async function readFrom(
  handle: FileHandle,
  path: string,
  { maxLineBytes, signal, onProgress, from = 0 }: ReadLinesOptions,
  onLine: (text: string, line: number) => void,
): Promise<void> {
  const stats = await attempt(path, () => handle.stat())
  if (stats.isDirectory()) throw systemError(path, { code: 'EISDIR' })
  const buffer = Buffer.allocUnsafe(blockBytes)
  const lines = createLineSplitter(path, maxLineBytes, onLine)
  const start = stats.isFile() ? (await handle.read(buffer, 0, ZSTD.length, 0)).bytesRead : 0
  if (buffer.subarray(0, start).equals(ZSTD)) {
    let isFirst = true
    for await (const block of unpacked(handle, path)) {
      signal?.throwIfAborted()
      if (isFirst) assertText(path, block)
      isFirst = false
      lines.push(block)
    }
    onProgress?.(stats.size, stats.size)
    return lines.end()
  }
  let bytesRead = 0
  while (true) {
    const { bytesRead: length } = await attempt(path, () =>
      handle.read(buffer, 0, blockBytes, from > 0 ? bytesRead : null),
    )
    signal?.throwIfAborted()
    if (length === 0) break
    const block = buffer.subarray(0, length)
    if (bytesRead === 0) assertText(path, block)
    const firstEnd = bytesRead < from ? block.indexOf(lineFeed) + 1 : 0
    bytesRead = firstEnd > 0 ? from : bytesRead + length
    lines.push(firstEnd > 0 ? block.subarray(0, firstEnd) : block)
    onProgress?.(bytesRead, stats.size)
  }
  lines.end()
}

/**
 * Reads the start of a file as text, decompressed.
 *
 * @param length Limit in bytes, compressed or decompressed, whichever is reached first.
 * @throws TranscriptError
 */
export async function readHead(path: string, length: number): Promise<{ text: string; goesOn: boolean }> {
  const handle = await attempt(path, () => open(path, 'r'))
  try {
    const { buffer, bytesRead } = await attempt(path, () =>
      handle.read(Buffer.allocUnsafe(length), 0, length, 0),
    )
    if (!buffer.subarray(0, Math.min(bytesRead, ZSTD.length)).equals(ZSTD))
      return { text: buffer.toString('utf8', 0, bytesRead), goesOn: bytesRead === length }
    const blocks: Buffer[] = []
    let bytes = 0
    for await (const block of unpacked(handle, path)) {
      blocks.push(block)
      bytes += block.length
      if (bytes >= length) break
    }
    return { text: Buffer.concat(blocks).toString('utf8', 0, length), goesOn: bytes >= length }
  } finally {
    await handle.close()
  }
}

async function* unpacked(handle: FileHandle, path: string): AsyncGenerator<Buffer> {
  const zstd = createZstdDecompress()
  const done = pipeline(handle.createReadStream({ start: 0, autoClose: false }), zstd, () => {})
  try {
    for await (const block of done) yield block as Buffer
  } catch (cause) {
    throw new TranscriptError(
      'TRANSCRIPT_UNREADABLE',
      `${path} cannot be unpacked: it is damaged or cut off; copy it again`,
      {
        cause,
      },
    )
  }
}

function createLineSplitter(
  path: string,
  maxLineBytes: number,
  onLine: (text: string, line: number) => void,
) {
  let line = 1
  let begun: Buffer[] = []
  let begunBytes = 0

  const extend = (bytes: Buffer) => {
    begunBytes += bytes.length
    if (begunBytes > maxLineBytes) {
      const message = `${path}: line ${line} is longer than ${maxLineBytes} bytes; no message of a session is that long`
      throw new TranscriptError('TRANSCRIPT_LINE_TOO_LONG', message, { line })
    }
    begun.push(bytes)
  }
  const complete = () => {
    const bytes = begun.length === 1 ? begun[0] : Buffer.concat(begun)
    begun = []
    begunBytes = 0
    onLine(decode(bytes ?? Buffer.alloc(0), line), line)
    line++
  }
  return {
    push(block: Buffer): void {
      let start = 0
      for (let end = block.indexOf(lineFeed); end !== -1; end = block.indexOf(lineFeed, start)) {
        extend(block.subarray(start, end))
        complete()
        start = end + 1
      }
      // The block is reused, so kept bytes must be copied.
      if (start < block.length) extend(Buffer.from(block.subarray(start)))
    },
    end() {
      if (begunBytes > 0) complete()
    },
  }
}

function decode(bytes: Buffer, line: number): string {
  const end = bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length
  const text = bytes.toString('utf8', 0, end)
  return line === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text
}

function assertText(path: string, firstBlock: Buffer): void {
  if (!firstBlock.includes(0)) {
    try {
      // Decoding is streaming, so that a character cut by the end of the block is no error.
      new TextDecoder('utf-8', { fatal: true }).decode(firstBlock, { stream: true })
      return
    } catch {
      // Falls through to the error below.
    }
  }
  throw new TranscriptError(
    'TRANSCRIPT_NOT_TEXT',
    `${path} is not UTF-8 text; give a session file in JSON or JSONL, as it is or packed by zstd`,
  )
}

async function attempt<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (cause) {
    throw systemError(path, cause)
  }
}

function systemError(path: string, cause: unknown): TranscriptError {
  const code = (cause as { code?: unknown }).code
  const [kind, message] = describe(path, code)
  return new TranscriptError(kind, message, { cause })
}

function describe(path: string, code: unknown): [TranscriptErrorCode, string] {
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return ['TRANSCRIPT_NOT_FOUND', `${path} does not exist; check the path`]
  }
  if (code === 'EISDIR') {
    return ['TRANSCRIPT_IS_DIRECTORY', `${path} is a directory; give the session file inside it`]
  }
  return ['TRANSCRIPT_UNREADABLE', `${path} cannot be read (${String(code)}); check its permissions`]
}
